import type { ReactNode } from 'react';
import { formatBytes, formatExact } from '../format/number-format.ts';

/** A link-like button that reveals the next part of a long content. */
export function ShowMore({ label, onMore }: { label: string; onMore(): void }): ReactNode {
  return (
    <button type="button" onClick={onMore} className="mt-1 self-start text-xs font-medium text-accent hover:underline">
      {label}
    </button>
  );
}

/** The label that shows the rest of a text. @param left characters not shown yet */
export function remainingText(left: number): string {
  return `Show remaining ${formatBytes(left)}`;
}

/** The label for more text. @param left characters not shown yet @param step characters that are revealed */
export function moreText(left: number, step: number): string {
  return left <= step ? remainingText(left) : `Show ${formatBytes(step)} more (${formatBytes(left)} remaining)`;
}

/** The label for more elements. @param noun in the plural */
export function moreElements(left: number, step: number, noun: string): string {
  return left <= step
    ? `Show remaining ${formatExact(left)} ${noun}`
    : `Show ${formatExact(step)} more ${noun} (${formatExact(left)} remaining)`;
}
