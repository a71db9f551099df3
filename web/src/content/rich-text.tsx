import { use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { deferred } from '../design/deferred.tsx';
import { Segments } from '../design/segments.tsx';
import { parsedText } from './embedded-json.ts';
import { FindQuery, hasText } from './find-query.ts';
import { InlineJson } from './json-view.tsx';
import { LongText } from './long-text.tsx';
import { isMarkdown, markdownBlocks } from './markdown-blocks.ts';
import { useMarkdownSetting } from './markdown-setting.ts';
import { remainingText, ShowMore } from './show-more.tsx';
import { stackOnly } from './span-error.ts';
import { StackTrace } from './stack-trace.tsx';
import { VirtualParts } from './virtual-text.tsx';

const Markdown = deferred(() => import('./markdown.tsx'));

/** Blocks of this many characters are parsed at once, which keeps the page responsive. */
const blockSize = 4_000;
/** More blocks are shown in a box of their own. */
const maxInFlow = 3;

/** The text of a message as JSON, as a stack trace or as Markdown if it is one; as it was sent if the viewer chose plain text. */
export function RichText({ text }: { text: string }): ReactNode {
  const [on] = useMarkdownSetting();
  const json = useMemo(() => (on ? parsedText(text) : text), [on, text]);
  const isRich = useMemo(() => on && isMarkdown(text), [on, text]);
  const error = useMemo(() => (on ? stackOnly(text) : null), [on, text]);
  if (typeof json !== 'string') return <InlineJson label="JSON" value={json} />;
  if (error !== null) return <StackTrace {...error} />;
  return isRich ? <Blocks text={text} /> : <LongText text={text} />;
}

function Blocks({ text }: { text: string }): ReactNode {
  const blocks = useMemo(() => markdownBlocks(text, blockSize).map((block) => block.text), [text]);
  const [opened, setOpened] = useState(false);
  const query = use(FindQuery);
  const isFound = useMemo(() => blocks.slice(1).some((block) => hasText(block, query)), [blocks, query]);
  const all = opened || isFound;
  if (all && blocks.length > maxInFlow) {
    return (
      <VirtualParts
        label="Whole text"
        parts={blocks}
        estimate={(block) => Math.max(40, block.length / 4)}
        render={(block) => <Markdown text={block} />}
        className="py-1"
      />
    );
  }
  const left = blocks.slice(1).reduce((sum, block) => sum + block.length, 0);
  return (
    <div className="flex flex-col gap-2">
      {(all ? blocks : blocks.slice(0, 1)).map((block, index) => (
        // Blocks of a stored text have no other key and never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Markdown key={index} text={block} />
      ))}
      {left > 0 && !all && <ShowMore label={remainingText(left)} onMore={() => setOpened(true)} />}
    </div>
  );
}

/** Switches all messages between Markdown and plain text. */
export function MarkdownSwitch(): ReactNode {
  const [on, set] = useMarkdownSetting();
  return (
    <Segments<'rendered' | 'plain'>
      label="Text as"
      value={on ? 'rendered' : 'plain'}
      options={[
        { value: 'rendered', label: 'Rendered' },
        { value: 'plain', label: 'Plain' },
      ]}
      onValue={(value) => set(value === 'rendered')}
    />
  );
}
