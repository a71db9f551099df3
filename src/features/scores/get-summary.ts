import type { ScoreSummary, ScoreSummaryQuery } from '../../contract/scores.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { timesOf } from '../figures/index.ts';
import { readerFor } from './scores-context.ts';
import type { ScoresContext } from './scores-context.ts';
import { bins, binsSql, daysSql, evaluatorsSql, groupsSql, labelsSql, maxEvaluators } from './summary-sql.ts';

interface Figures {
  evaluator: string;
  scores: number;
  numbers: number;
  /** null without numbers. */
  mean: number | null;
  passes: number;
  fails: number;
}

interface EvaluatorRow extends Figures {
  lowest: number;
  highest: number;
  deviation: number | null;
}

/** Of the standard normal distribution. */
const quantile975 = 1.959963984540054;

/**
 * Figures, distribution and days of each evaluator's scores in a range, and of its groups with `by` (docs/semantics.md, "Summary of scores").
 *
 * Errors: `invalid_request` for an invalid range.
 */
export async function getSummary(
  context: ScoresContext,
  tenant: Tenant,
  { evaluator, by, ...query }: ScoreSummaryQuery,
): Promise<ScoreSummary> {
  const { times } = timesOf(query, tenant.plan, context.clock.now());
  const reader = readerFor(context, tenant);
  const asked = evaluator === undefined ? {} : { evaluators: [evaluator] };
  const found = await reader.query<EvaluatorRow>(evaluatorsSql(evaluator === undefined), { ...times, ...asked });
  const rows = found.slice(0, maxEvaluators);
  if (rows.length === 0) return { evaluators: [], truncated: false };
  const evaluators = rows.map((row) => row.evaluator);
  const read = async <Row extends { evaluator: string }>(sql: string) => {
    const byEvaluator = Map.groupBy(await reader.query<Row>(sql, { ...times, evaluators }), (row) => row.evaluator);
    return (of: string) => byEvaluator.get(of) ?? [];
  };
  const [binsOf, labelsOf, daysOf, groupsOf] = await Promise.all([
    read<{ evaluator: string; bin: number; scores: number }>(binsSql),
    read<{ evaluator: string; label: string; scores: number }>(labelsSql),
    read<Figures & { day: string }>(daysSql),
    by === undefined ? () => [] : read<Figures & { value: string }>(groupsSql(by)),
  ]);
  return {
    evaluators: rows.map((row) => ({
      evaluator: row.evaluator,
      type: row.numbers > 0 ? 'number' : 'category',
      ...figuresOf(row),
      ...intervalOf(row),
      distribution:
        row.numbers > 0
          ? partsOf(row, binsOf(row.evaluator))
          : labelsOf(row.evaluator).map(({ label, scores }) => ({ value: label, count: scores })),
      timeline: daysOf(row.evaluator).map(({ day, ...figures }) => ({ day, ...figuresOf(figures) })),
      by: groupsOf(row.evaluator).map(({ value, ...figures }) => ({ value: value === '' ? null : value, ...figuresOf(figures) })),
    })),
    truncated: found.length > maxEvaluators,
  };
}

function figuresOf({ scores, numbers, mean, passes, fails }: Omit<Figures, 'evaluator'>) {
  return { count: scores, avg: numbers === 0 ? null : mean, passRate: passes + fails === 0 ? null : passes / (passes + fails) };
}

/** The 95 % interval of the mean, by the normal distribution. */
function intervalOf({ numbers, mean, deviation }: EvaluatorRow): { low: number | null; high: number | null } {
  if (numbers < 2 || mean === null || deviation === null) return { low: null, high: null };
  const half = (quantile975 * deviation) / Math.sqrt(numbers);
  return { low: mean - half, high: mean + half };
}

function partsOf({ lowest, highest }: EvaluatorRow, rows: ReadonlyArray<{ bin: number; scores: number }>) {
  const parts = lowest === highest ? 1 : bins;
  const counts = new Map(rows.map(({ bin, scores }) => [bin, scores]));
  const edge = (index: number) => (index === parts ? highest : lowest + ((highest - lowest) / parts) * index);
  return Array.from({ length: parts }, (_, index) => ({ from: edge(index), to: edge(index + 1), count: counts.get(index) ?? 0 }));
}
