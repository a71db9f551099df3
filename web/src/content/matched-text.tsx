import type { ReactNode } from 'react';
import { countedExactly } from '../format/number-format.ts';
import { visiblePart } from '../format/visible-text.ts';
import type { MarkedPart } from './marked-parts.ts';

/** A text with marked matches; the label of a match stands behind it. */
export function MatchedText({ label, parts }: { label: string; parts: readonly MarkedPart[] }): ReactNode {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      dir="auto"
      className="scroll-thin max-h-72 overflow-auto rounded-md border border-line px-2.5 py-2 break-words whitespace-pre-wrap [unicode-bidi:isolate]"
    >
      {parts.map(({ start, text, labels, omitted, rest }) =>
        labels.length === 0 ? (
          <span key={start}>
            {visiblePart(text)}
            {omitted > 0 && <span className="text-ink-faint"> … {countedExactly(omitted, 'character')} … </span>}
            {visiblePart(rest)}
          </span>
        ) : (
          <mark key={start} className="rounded-xs bg-warn-soft text-warn" title={labels.join(', ')}>
            {visiblePart(text)}
            <span className="ml-1 text-2xs font-medium opacity-90">{visiblePart(labels.join(', '))}</span>
          </mark>
        ),
      )}
    </div>
  );
}
