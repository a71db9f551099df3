import { useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { formatBytes } from '../format/number-format.ts';
import { visibleText } from '../format/visible-text.ts';

const firstCharacters = 2_000;
const moreCharacters = 50_000;

/** Text of any length: its beginning, and more of it when asked. A page never lays out megabytes at once. */
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
      {left > 0 && (
        <button
          type="button"
          onClick={() => setShown(shown + moreCharacters)}
          className="mt-1 text-xs font-medium text-accent hover:underline"
        >
          Show {formatBytes(Math.min(left, moreCharacters))} more of {formatBytes(left)}
        </button>
      )}
    </div>
  );
}
