import type { Budget } from './budget.ts';
import type { TextWork } from './text-work.ts';
import type { Match } from './match.ts';

/** What a detector found in a text. */
export interface Detection {
  triggered: boolean;
  /** In the order of the text, without overlaps; at most `limit`. */
  matches: Match[];
  /** What replaces each match; by default its label as `[LABEL]`. */
  placeholders?: readonly string[];
  /** There are more matches than the limit. */
  truncated: boolean;
  /** Why it triggered, in one sentence; null if it did not. */
  reason: string | null;
  /** See `CheckOutcome.safeUntil`. The length of the text unless it is open. */
  safeUntil: number;
}

export interface DetectOptions {
  /** The text, with what other guardrails have found out about it. */
  work: TextWork;
  budget: Budget;
  /** Largest number of matches. */
  limit: number;
  /** The text may continue. */
  open: boolean;
  /** Offset at which the search begins. What stands before it is context: no match begins there. */
  from: number;
  /** Code points in front of the text. */
  charactersBefore: number;
}

/** A guardrail's configuration, compiled. */
export interface Detector {
  /** Errors: OverBudget. */
  detect(options: DetectOptions): Detection;
  /** Makes ready what a first check would take long to make, in short steps. */
  prepare?(): Generator<void, void>;
}

/** Labels of the matches with how often each occurs, as a sentence. */
export function found(matches: readonly Match[], truncated: boolean): string | null {
  if (matches.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { label } of matches) counts.set(label, (counts.get(label) ?? 0) + 1);
  const parts = [...counts].slice(0, 5).map(([label, count]) => (count === 1 ? label : `${label} (${count} times)`));
  const more = counts.size > 5 ? ' and others' : '';
  return `Found ${parts.join(', ')}${more}${truncated ? '; there are more matches' : ''}.`;
}

/** What replaces a match that has no name. */
export const redacted = '[REDACTED]';

/** A label in capitals with every other character than letters and digits as `_`, in brackets. */
export function placeholderOf(label: string): string {
  return `[${label.toUpperCase().replaceAll(/[^\p{L}\p{Nd}]/gu, '_')}]`;
}
