import type { ReactNode } from 'react';
import { visiblePart } from '../format/visible-text.ts';
import type { Part } from './text-diff.ts';

interface MarkedTextProps {
  label: string;
  parts: readonly Part[];
  /** Whether changed parts were removed or added. */
  kind: 'removed' | 'added';
}

/** A text with changed parts marked: struck through if removed, underlined if added. */
export function MarkedText({ label, parts, kind }: MarkedTextProps): ReactNode {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      dir="auto"
      className="scroll-thin max-h-96 overflow-auto rounded-md border border-line px-2.5 py-2 break-words whitespace-pre-wrap [unicode-bidi:isolate]"
    >
      {parts.map(({ text, changed }, index) => {
        const shown = visiblePart(text);
        // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other key
        if (!changed) return <span key={index}>{shown}</span>;
        return kind === 'removed' ? (
          // oxlint-disable-next-line react/no-array-index-key -- likewise
          <del key={index} className="rounded-xs bg-bad-soft text-bad decoration-1">
            {shown}
          </del>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- likewise
          <ins key={index} className="rounded-xs bg-good-soft text-good decoration-1 underline-offset-2">
            {shown}
          </ins>
        );
      })}
    </div>
  );
}
