import type { HourPlan } from './hour-states.ts';
import { roundedDuration, traceHash } from './rounded-duration.ts';

/** The summed columns of calls, in the order of `model_hours`. */
export const callSums = [
  'calls',
  'finished',
  'errors',
  'unpriced',
  'partly_priced',
  'cost',
  'duration_sum',
  'ttft_sum',
  'ttft_count',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'reasoning_tokens',
] as const;

/** The summed columns of scores, in the order of `quality_hours`. */
export const qualitySums = [
  'evals',
  'score_sum',
  'passed',
  'failed',
  'quality_evals',
  'quality_sum',
  'quality_passed',
  'quality_failed',
] as const;

/** The sums of scores that a mean over several evaluators needs. */
export const qualityMeanSums = ['quality_evals', 'quality_sum'] as const;

/** Summed with Kahan compensation, so that the order of summation does not change the result. */
const fractions: ReadonlySet<string> = new Set(['cost', 'duration_sum', 'ttft_sum', 'score_sum', 'quality_sum']);

/** `sum(table.column) AS column, ...` */
export function summed(columns: readonly string[], table: string): string {
  return columns.map((column) => `${fractions.has(column) ? 'sumKahan' : 'sum'}(${table}.${column}) AS ${column}`).join(', ');
}

const dimensionOfGroup =
  "multiIf(grouping(provider) = 0, 'provider', grouping(agent_name) = 0, 'agent', grouping(operation) = 0, 'operation', grouping(error_code) = 0, 'error', 'model')";

/**
 * SELECT of the rollup rows of `calls` by hour: the same text fills `model_hours` when an hour is sealed and stands in for it while
 * the hour is dirty.
 *
 * @param where condition on calls
 * @param wanted condition on rollup rows, over `dimension`, `item` and `model`
 */
export function callRollups(where: string, wanted = ''): string {
  return `SELECT hour, model, environment, CAST(${dimensionOfGroup}, 'Enum8(\\'model\\' = 1, \\'provider\\' = 2, \\'agent\\' = 3, \\'operation\\' = 4, \\'error\\' = 5)') AS dimension,
    toLowCardinality(concat(provider, agent_name, operation, error_code)) AS item,
    count() AS calls, sum(finished) AS finished, sum(error) AS errors, sum(unpriced) AS unpriced, sum(partly_priced) AS partly_priced, sumKahan(cost) AS cost,
    sumKahan(duration_ms) AS duration_sum, sumKahan(ifNull(ttft_ms, 0)) AS ttft_sum, count(ttft_ms) AS ttft_count,
    sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cached_tokens) AS cached_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, min(start_time) AS first_seen, max(start_time) AS last_seen
  FROM calls FINAL
  WHERE ${where}
  GROUP BY GROUPING SETS ((hour, model, environment), (hour, model, environment, provider), (hour, model, environment, agent_name),
    (hour, model, environment, operation), (hour, model, environment, error_code))
  HAVING (dimension = 'model' OR item != '' AND model != '')${wanted}`;
}

/**
 * SELECT of the rollup rows of `quality` by hour. The columns `quality_*` are for figures over several evaluators: scores in the share of their
 * scale, without those that are no measure of quality (docs/semantics.md, "Quality").
 */
export function qualityRollups(where: string): string {
  return `SELECT hour, model, environment, evaluator, count() AS evals, sumKahan(score) AS score_sum, countIf(quality.passed = 1) AS passed, countIf(quality.passed = 0) AS failed,
    countIf(is_quality = 1) AS quality_evals, sumKahanIf((score - scale_min) / (scale_max - scale_min), is_quality = 1) AS quality_sum,
    countIf(is_quality = 1 AND quality.passed = 1) AS quality_passed, countIf(is_quality = 1 AND quality.passed = 0) AS quality_failed
  FROM quality FINAL
  WHERE ${where} AND model != ''
  GROUP BY hour, model, environment, evaluator`;
}

/** SELECT of the rows of `model_hour_sketches`. */
export function sketchRollups(where: string): string {
  return `SELECT hour, model, environment, arraySort(groupArrayIf(duration, durations_of > 0)) AS durations,
    arrayMap(pair -> pair.2, arraySort(groupArrayIf((duration, durations_of), durations_of > 0))) AS duration_counts,
    arraySort(groupUniqArrayArray(traces_of)) AS traces
  FROM (
    SELECT hour, model, environment, ${roundedDuration('duration_ms')} AS duration, countIf(finished = 1) AS durations_of, groupUniqArray(${traceHash}) AS traces_of
    FROM calls FINAL
    WHERE ${where} AND model != ''
    GROUP BY hour, model, environment, duration
  )
  GROUP BY hour, model, environment`;
}

/** Condition for the current rollup rows: those with the seals that PostgreSQL has. See {@link sealParameters}. */
export const sealedRollups = `hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32}) AND (grain = 'day' OR hour >= toDateTime({hoursFrom:UInt32}))
    AND seal = if(grain = 'day', ${named('days', 'daySeals')}, ${named('hours', 'hourSeals')})`;

function named(starts: string, seals: string): string {
  return `transform(toUnixTimestamp(hour), {${starts}:Array(UInt32)}, {${seals}:Array(UInt64)}, toUInt64(0))`;
}

/** The parameters of {@link sealedRollups} for a window. */
export function sealParameters(window: { from: number; to: number }, { days, hours }: Pick<HourPlan, 'days' | 'hours'>) {
  return {
    from: window.from,
    to: window.to,
    // Days have rows of their own, so rows of earlier hours need not be read.
    hoursFrom: hours.reduce((first, { hour }) => Math.min(first, hour), window.to),
    days: days.map(({ hour }) => hour),
    daySeals: days.map(({ seal }) => seal),
    hours: hours.map(({ hour }) => hour),
    hourSeals: hours.map(({ seal }) => seal),
  };
}

/** The summed columns of `graph_hours`. */
export const graphSums = ['calls', 'finished', 'errors', 'unpriced', 'partly_priced', 'cost'] as const;

/** The columns of rollup rows of the dependency graph; `source` is `''` for a node. */
export const graphColumns = ['hour', 'environment', 'source', 'target', ...graphSums, 'durations', 'duration_counts'] as const;

const rollupColumns = {
  graph_hours: graphColumns,
  model_hours: ['hour', 'model', 'environment', 'dimension', 'item', ...callSums, 'first_seen', 'last_seen'],
  model_hour_sketches: ['hour', 'model', 'environment', 'durations', 'duration_counts', 'traces'],
  quality_hours: ['hour', 'model', 'environment', 'evaluator', ...qualitySums],
} as const;

/** An INSERT of the rows of `select`, which has the columns of the table, for `{project:UUID}` with the seal `{seal:UInt64}`. */
export function insertRollups(table: keyof typeof rollupColumns, grain: 'hour' | 'day', select: string): string {
  const columns = rollupColumns[table].join(', ');
  return `INSERT INTO ${table} (project_id, grain, seal, ${columns})
SELECT {project:UUID}, '${grain}', {seal:UInt64}, ${columns}
FROM (
  ${select}
)`;
}
