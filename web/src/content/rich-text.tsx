import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { deferred } from '../design/deferred.tsx';
import { LongText } from './long-text.tsx';
import { isMarkdown, markdownBlocks } from './markdown-blocks.ts';
import type { MarkdownBlock } from './markdown-blocks.ts';
import { useMarkdownSetting } from './markdown-setting.ts';
import { moreText, ShowMore } from './show-more.tsx';

const Markdown = deferred(() => import('./markdown.tsx'));

/** Blocks of this many characters are parsed at once, which keeps the page responsive. */
const blockSize = 4_000;
const blockStep = 2;

/** The text of a message: as Markdown unless the viewer chose plain text or it is too long. */
export function RichText({ text }: { text: string }): ReactNode {
  const [on] = useMarkdownSetting();
  const isRich = useMemo(() => on && isMarkdown(text), [on, text]);
  return isRich ? <Blocks text={text} /> : <LongText text={text} />;
}

function Blocks({ text }: { text: string }): ReactNode {
  const blocks = useMemo(() => markdownBlocks(text, blockSize), [text]);
  const [count, setCount] = useState(blockStep - 1);
  const lengthOf = (some: readonly MarkdownBlock[]) => some.reduce((sum, { source }) => sum + source.length, 0);
  const left = lengthOf(blocks.slice(count));
  return (
    <div>
      {blocks.slice(0, count).map((block, index) => (
        // Blocks of a stored text have no other key and never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Markdown key={index} text={block.text} />
      ))}
      {left > 0 && (
        <ShowMore
          label={moreText(left, lengthOf(blocks.slice(count, count + blockStep)))}
          onMore={() => setCount(count + blockStep)}
        />
      )}
    </div>
  );
}

/** Switches all messages between Markdown and plain text. */
export function MarkdownSwitch(): ReactNode {
  const [on, set] = useMarkdownSetting();
  return (
    <button
      type="button"
      aria-pressed={on}
      title="Render messages as Markdown"
      onClick={() => set(!on)}
      className={classNames(
        'h-6 shrink-0 rounded-md border border-line px-2 text-xs',
        on ? 'bg-sunken font-medium text-ink' : 'text-ink-faint hover:text-ink',
      )}
    >
      Markdown
    </button>
  );
}
