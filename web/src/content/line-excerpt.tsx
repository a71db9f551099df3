import type { ReactNode } from 'react';
import { visiblePart } from '../format/visible-text.ts';
import { excerptAt } from './text-line.ts';

const maxShown = 160;

interface LineExcerptProps {
  /** 1-based. */
  lineNumber: number;
  /** The whole line. */
  line: string;
  /** The 1-based character to mark; null for none. */
  character: number | null;
}

/** A line of a file around a character, which is marked. Long lines are cut. */
export function LineExcerpt({ lineNumber, line, character }: LineExcerptProps): ReactNode {
  const { text, at } = excerptAt(line, character ?? 1, maxShown);
  return (
    <pre
      className="scroll-thin mt-2 overflow-auto rounded bg-surface px-2 py-1.5 font-mono text-xs leading-5"
      tabIndex={0}
      aria-label={`Line ${lineNumber}`}
      role="group"
    >
      <span className="text-ink-faint select-none">{lineNumber} │ </span>
      {character === null ? (
        <bdi>{visiblePart(text)}</bdi>
      ) : (
        <>
          <bdi>{visiblePart(text.slice(0, at))}</bdi>
          <mark className="rounded-xs bg-bad text-surface">
            <bdi>{visiblePart(text.slice(at, at + 1)) || ' '}</bdi>
          </mark>
          <bdi>{visiblePart(text.slice(at + 1))}</bdi>
        </>
      )}
    </pre>
  );
}
