import type { AlertPreview } from '../../api/service.ts';
import { countedExactly } from '../../format/number-format.ts';
import { dayMs } from '../../../../src/contract/durations.ts';

/** The days of a preview, at least one. Fewer than 30 where the retention is shorter. */
export function previewDays({ from, to }: Pick<AlertPreview, 'from' | 'to'>): number {
  return Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / dayMs));
}

/** How often a rule would have fired, as a sentence. */
export function previewSentence({ wouldHaveFired, from, to }: AlertPreview): string {
  const days = countedExactly(previewDays({ from, to }), 'day');
  return wouldHaveFired.length === 0
    ? `Would not have fired in the last ${days}.`
    : `Would have fired ${countedExactly(wouldHaveFired.length, 'time')} in the last ${days}.`;
}

/** How often a rule would have fired by day, oldest first. A day counts back from the end. */
export function firedByDay({ wouldHaveFired, from, to }: AlertPreview): number[] {
  const days = previewDays({ from, to });
  const counts = Array.from({ length: days }, () => 0);
  for (const { at } of wouldHaveFired) {
    const day = days - 1 - Math.min(days - 1, Math.floor((Date.parse(to) - Date.parse(at)) / dayMs));
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return counts;
}
