import { useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { visibleText } from '../format/visible-text.ts';
import { moreText, ShowMore } from './show-more.tsx';

const firstCharacters = 2_000;
const moreCharacters = 50_000;

/** Text of any length: shows the beginning, and more in steps on request. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }): ReactNode {
  const [shown, setShown] = useState(firstCharacters);
  const left = text.length - shown;
  return (
    <div>
      <div
        dir="auto"
        className={classNames('break-words whitespace-pre-wrap [unicode-bidi:isolate]', mono && 'font-mono text-xs leading-5')}
      >
        {visibleText(left > 0 ? text.slice(0, shown) : text)}
        {left > 0 && '…'}
      </div>
      {left > 0 && <ShowMore label={moreText(left, moreCharacters)} onMore={() => setShown(shown + moreCharacters)} />}
    </div>
  );
}
