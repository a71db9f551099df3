import { use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { visiblePart, visibleText } from '../format/visible-text.ts';
import { FindQuery, hasText } from './find-query.ts';
import { remainingText, ShowMore } from './show-more.tsx';
import { textChunks } from './text-chunks.ts';
import { VirtualParts } from './virtual-text.tsx';

const firstCharacters = 2_000;
/** Longer texts are shown in a box of their own. */
const maxInFlow = 8_000;
const chunkSize = 2_000;
const lineHeight = 20;
const lineCharacters = 90;

/** Text of any length: shows the beginning, and all of it on request, or when the searched text is in the rest. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }): ReactNode {
  const [opened, setOpened] = useState(false);
  const query = use(FindQuery);
  const isFound = useMemo(
    () => text.length > firstCharacters && hasText(text.slice(firstCharacters - query.length), query),
    [text, query],
  );
  const all = opened || isFound;
  const left = text.length - firstCharacters;
  const classes = classNames('break-words whitespace-pre-wrap [unicode-bidi:isolate]', mono && 'font-mono text-xs leading-5');
  if (all && text.length > maxInFlow) return <WholeText text={text} className={classes} />;
  const cut = left > 0 && !all;
  return (
    <div>
      <div dir="auto" className={classes}>
        {visibleText(cut ? text.slice(0, firstCharacters) : text)}
        {cut && '…'}
      </div>
      {cut && <ShowMore label={remainingText(left)} onMore={() => setOpened(true)} />}
    </div>
  );
}

function WholeText({ text, className }: { text: string; className: string }): ReactNode {
  const parts = useMemo(() => textChunks(text, chunkSize), [text]);
  return (
    <VirtualParts
      label="Whole text"
      parts={parts}
      estimate={(part) => lineHeight * Math.max(part.split('\n').length, part.length / lineCharacters)}
      render={(part) => (
        <div dir="auto" className={className}>
          {visiblePart(part.endsWith('\n') ? part.slice(0, -1) || ' ' : part)}
        </div>
      )}
    />
  );
}
