import type { EvaluatorSummary } from '../../api/service.ts';

/** Days of a trend, at most. */
const maxDays = 30;

/**
 * Heights of the bars of a trend, one a day with scores, oldest first: the mean from the lowest one of the days, a little above 0 so that a day is
 * seen; of labels alone the number of scores.
 */
export function trendOf({ type, timeline }: Pick<EvaluatorSummary, 'type' | 'timeline'>): number[] {
  const days = timeline.slice(-maxDays);
  if (type === 'category') return days.map(({ count }) => count);
  const means = days.map(({ avg }) => avg ?? 0);
  const [lowest, highest] = [Math.min(0, ...means), Math.max(...means)];
  return means.map((mean) => mean - lowest + (highest - lowest) * 0.05);
}
