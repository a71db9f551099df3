import type { EvaluatorSummary } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatScore } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';

/** Evaluators with a line of their own. */
const maxLines = 5;

/**
 * The daily means of evaluators, each on its own: a mean over tone, faithfulness and feedback says nothing. The evaluators with the most scores; null
 * where none gives numbers.
 *
 * @param days a timeline of days
 * @param open opens the traces with a score by an evaluator, of a day
 */
export function qualityChart(
  evaluators: readonly EvaluatorSummary[],
  days: Timeline,
  open: (start: string, evaluator: string | null) => void,
): CategoryChart | null {
  const shown = evaluators
    .filter(({ avg }) => avg !== null)
    .toSorted((left, right) => right.count - left.count)
    .slice(0, maxLines)
    .toSorted((left, right) => (left.evaluator < right.evaluator ? -1 : 1));
  if (shown.length === 0) return null;
  const series = shown.map(({ evaluator, timeline }, index) => {
    const means = new Map(timeline.map(({ day, avg }) => [day, avg]));
    return { name: evaluator, color: index + 1, values: days.starts.map((start) => means.get(start) ?? null) };
  });
  const isShare = series.every(({ values }) => values.every((value) => (value ?? 0) <= 1));
  return {
    kind: 'lines',
    title: 'Quality',
    unit: 'daily mean by evaluator',
    axis: days.axis,
    categories: days.labels,
    format: formatScore,
    series,
    open: (category, name) => {
      const start = days.starts[category];
      if (start !== undefined) open(start, name);
    },
    ...(isShare ? { limit: 1 } : {}),
  };
}
