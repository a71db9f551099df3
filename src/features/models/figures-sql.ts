import { percentileSql } from '../../platform/statistics/index.ts';
import {
  callRollups,
  callSums,
  dirtyHours,
  qualityMeanSums,
  qualityRollups,
  qualitySums,
  roundedDuration,
  sealedHours,
  sourceOf,
  summed,
  traceHash,
} from '../figures/index.ts';
import type { Parts } from '../figures/index.ts';

/** Maximum rows of one dimension in a response: models, agents, operations, error codes, evaluators. */
export const maxItems = 10_000;
/** Maximum groups of scores in a response: days of evaluators of one model, and other models. */
const maxQualityRows = 100_000;

const ofModel = ' AND model = {model:String}';
/** Calls that name no model are in no model's figures. */
const named = " AND model != ''";

/** The start of the row of a timeline that `hour` belongs to. */
function bucket({ interval }: Parts, hour: string): string {
  return interval === 'hour' ? hour : `toDate(${hour})`;
}

/** A {@link bucket} as text: a date, or an hour in ISO 8601 with milliseconds. */
function bucketText({ interval }: Parts, start: string): string {
  const text = `toString(${start})`;
  return interval === 'hour' ? `concat(substring(${text}, 1, 10), 'T', substring(${text}, 12), '.000Z')` : text;
}

const seen =
  'toUnixTimestamp64Milli(min(part.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(part.last_seen)) AS last_seen';
const rollupColumns = ['hour', 'model', 'dimension', 'item', ...callSums, 'first_seen', 'last_seen'].join(', ');
/** Every dimension of one model; of the other models only the totals. */
const wholesAndModel = " AND (dimension = 'model' OR model = {model:String})";

/** @param models condition on the model: by default every call that names one */
function callSource(parts: Parts, wanted: string, models = named): string {
  const rollups = { table: 'model_hours', where: `${sealedHours(parts)}${wanted}${models}` };
  return sourceOf(parts, rollupColumns, rollups, callRollups(dirtyHours(parts), `${wanted}${models}`));
}

/** Calls that name no model, and those of them that failed (docs/semantics/model-figures.md, "Calls without a model"). */
export function unnamedSql(parts: Parts): string {
  return `SELECT sum(part.calls) AS calls, sum(part.errors) AS errors
FROM ${callSource(parts, " AND dimension = 'model'", " AND model = ''")}`;
}

/**
 * Calls of a window: of `{model:String}` by provider, agent, operation and error code (`item`), and in total by day; of every other
 * model in total. Sorted by calls, descending.
 */
export function callsSql(parts: Parts): string {
  return `SELECT part.dimension AS dimension, part.model AS model,
  if(part.dimension = 'model' AND part.model = {model:String}, ${bucketText(parts, bucket(parts, 'part.hour'))}, part.item) AS item, ${summed(callSums, 'part')},
  ${seen}
FROM ${callSource(parts, wholesAndModel)}
GROUP BY dimension, model, item
ORDER BY model = {model:String} DESC, calls DESC, model, item
LIMIT ${maxItems} BY dimension`;
}

/** The number of rows of {@link callsSql} without its limit, and their sums, by dimension. */
export function totalsSql(parts: Parts): string {
  return `SELECT part.dimension AS dimension, uniqExact(part.model, part.item) AS items, ${summed(['calls', 'cost'], 'part')}
FROM ${callSource(parts, wholesAndModel)}
GROUP BY dimension`;
}

/** Calls of every model of a window, most expensive first, with the sums over all of them. */
export function modelsSql(parts: Parts): string {
  const wholes = callSums.map((column) => `sumIf(grouped.${column}, grouped.dimension = 'model') AS ${column}`).join(', ');
  const wanted = " AND dimension != 'error'";
  return `SELECT *, sum(calls) OVER () AS all_calls, sum(cost) OVER () AS all_cost
FROM (
  SELECT grouped.model AS model, ${wholes}, min(grouped.first_seen) AS first_seen, max(grouped.last_seen) AS last_seen,
    countIf(grouped.dimension = 'agent') AS agents, countIf(grouped.dimension = 'operation') AS operations,
    minIf((-toInt64(grouped.calls), toString(grouped.item)), grouped.dimension = 'provider').2 AS provider
  FROM (
    SELECT part.dimension AS dimension, part.model AS model, part.item AS item, ${summed(callSums, 'part')},
      ${seen}
    FROM ${callSource(parts, wanted)}
    GROUP BY dimension, model, item
  ) AS grouped
  GROUP BY model
)
ORDER BY cost DESC, model
LIMIT ${maxItems}`;
}

/** Models, and agents, that an overview lists with their days; the others are one group. */
export const maxSeries = 20;

/**
 * Calls of a window by day: of the {@link maxSeries} models, and as many agents, with the highest cost, then the most calls; `name` is `''`
 * for all others together. `names` is the number of models, or agents.
 */
export function overviewSql(parts: Parts): string {
  const nameOf = "if(part.dimension = 'model', part.model, part.item)";
  const wanted = " AND dimension IN ('model', 'agent')";
  // Rounded, so that the order of summation does not decide between equal costs.
  return `SELECT placed.dimension AS dimension, if(placed.place <= ${maxSeries}, placed.name, '') AS name, ${bucketText(parts, 'placed.day')} AS day, ${summed(callSums, 'placed')},
  min(placed.first_seen) AS first_seen, max(placed.last_seen) AS last_seen, max(placed.names) AS names
FROM (
  SELECT *, dense_rank() OVER (PARTITION BY dimension ORDER BY whole_cost DESC, whole_calls DESC, name) AS place,
    uniqExact(name) OVER (PARTITION BY dimension) AS names
  FROM (
    SELECT *, round(sum(cost) OVER (PARTITION BY dimension, name), 12) AS whole_cost, sum(calls) OVER (PARTITION BY dimension, name) AS whole_calls
    FROM (
      SELECT part.dimension AS dimension, ${nameOf} AS name, ${bucket(parts, 'part.hour')} AS day, ${summed(callSums, 'part')},
        ${seen}
      FROM ${callSource(parts, wanted)}
      GROUP BY dimension, name, day
    )
  )
) AS placed
GROUP BY dimension, name, day
ORDER BY dimension, name, day`;
}

/** Models of a window with calls that are unpriced or priced in part, sorted by their number, descending. */
export function unpricedSql(parts: Parts): string {
  return `SELECT part.model AS model, sum(part.unpriced) AS unpriced_calls, sum(part.partly_priced) AS partly_priced_calls
FROM ${callSource(parts, " AND dimension = 'model' AND unpriced + partly_priced > 0")}
GROUP BY model
ORDER BY unpriced_calls DESC, partly_priced_calls DESC, model
LIMIT ${maxSeries}`;
}

/** Percentiles of `{model:String}`; of every model; or of `{models:Array(String)}` and, named `''`, of all models together. */
export type PercentileScope = 'one' | 'every' | 'named and all';

/**
 * Percentiles by model, of the rounded durations of finished calls (docs/semantics.md, "Percentiles").
 * A model without finished calls has no row.
 */
export function percentilesSql(parts: Parts, scope: PercentileScope): string {
  const model = scope === 'one' ? ofModel : named;
  const [groups, wanted] =
    scope === 'named and all'
      ? ['GROUPING SETS ((model, duration), (duration))', "\nHAVING model = '' OR model IN {models:Array(String)}"]
      : ['model, duration', ''];
  const at = (q: number) => percentileSql({ values: 'durations', upTo: 'ranks' }, q);
  return `WITH arraySort(groupArray((duration, occurrences))) AS pairs, pairs.1 AS durations, arrayCumSum(pairs.2) AS ranks
SELECT model, ${at(0.5)} AS p50, ${at(0.95)} AS p95, ${at(0.99)} AS p99
FROM (
  SELECT model, duration, sum(occurrence) AS occurrences
  FROM ${sourceOf(
    parts,
    'model, duration, occurrence',
    {
      table: 'model_hour_sketches ARRAY JOIN durations AS duration, duration_counts AS occurrence',
      where: `${sealedHours(parts)}${model}`,
    },
    `SELECT model, ${roundedDuration('duration_ms')} AS duration, toUInt64(1) AS occurrence FROM calls FINAL
  WHERE ${dirtyHours(parts)}${model} AND finished = 1`,
  )}
  GROUP BY ${groups}
)
GROUP BY model${wanted}`;
}

/**
 * The 95th percentile of each row of a timeline: of `{model:String}`, or of `{models:Array(String)}` and, named `''`, of all models together.
 * Arrays are joined and sorted instead of being split into rows: those of sealed days are sorted already.
 */
export function timelineP95Sql(parts: Parts, scope: 'one' | 'named and all'): string {
  const model = scope === 'one' ? ofModel : named;
  const [groups, wanted] =
    scope === 'one'
      ? ['model, start', '\nHAVING ranks[-1] > 0']
      : ['GROUPING SETS ((model, start), (start))', "\nHAVING (model = '' OR model IN {models:Array(String)}) AND ranks[-1] > 0"];
  return `WITH arrayFlatten(groupArray(part.durations)) AS durations, arrayFlatten(groupArray(part.duration_counts)) AS counts,
  arrayCumSum(arraySort((counted, duration) -> duration, counts, durations)) AS ranks
SELECT part.model AS model, ${bucket(parts, 'part.hour')} AS start, ${bucketText(parts, 'start')} AS day,
  ${percentileSql({ values: 'arraySort(durations)', upTo: 'ranks' }, 0.95)} AS p95
FROM ${sourceOf(
    parts,
    'hour, model, durations, duration_counts',
    { table: 'model_hour_sketches', where: `${sealedHours(parts)}${model}` },
    `SELECT hour, model, groupArray(${roundedDuration('duration_ms')}) AS durations, groupArray(toUInt64(1)) AS duration_counts FROM calls FINAL
  WHERE ${dirtyHours(parts)}${model} AND finished = 1
  GROUP BY hour, model`,
  )}
GROUP BY ${groups}${wanted}`;
}

/**
 * Distinct traces by model, from a sketch of at most 2^20 cells: ClickHouse counts up to 2^15 hashes exactly, and estimates larger numbers
 * from the cells. {@link countTraces} handles the ranges in which the estimate is not precise enough.
 */
export function tracesSql(parts: Parts, oneModel: boolean): string {
  return `SELECT part.model AS model, uniqCombined64Array(20)(part.traces) AS traces
FROM ${tracesSource(parts, oneModel ? ofModel : named)}
GROUP BY model`;
}

/**
 * Exact number of distinct traces of `{models:Array(String)}` whose hash has none of the bits of the model's mask in
 * `{masks:Array(UInt64)}`. Mask 0 selects all traces; each bit halves their number.
 */
export function sampledTracesSql(parts: Parts, oneModel: boolean): string {
  const models = `${oneModel ? ofModel : ''} AND model IN {models:Array(String)}`;
  return `SELECT part.model AS model, transform(toString(part.model), {models:Array(String)}, {masks:Array(UInt64)}, toUInt64(0)) AS mask,
  uniqExactArray(arrayFilter(trace_hash -> bitAnd(trace_hash, mask) = 0, part.traces)) AS traces
FROM ${tracesSource(parts, models)}
GROUP BY model`;
}

function tracesSource(parts: Parts, model: string): string {
  return sourceOf(
    parts,
    'model, traces',
    { table: 'model_hour_sketches', where: `${sealedHours(parts)}${model}` },
    `SELECT model, groupUniqArray(${traceHash}) AS traces FROM calls FINAL WHERE ${dirtyHours(parts)}${model} GROUP BY model`,
  );
}

/** Evaluation scores of a window: of `{model:String}` by evaluator and day, of every other model in total. */
export function qualitySql(parts: Parts): string {
  const ofThis = (text: string) => `if(part.model = {model:String}, ${text}, '')`;
  const day = bucketText(parts, bucket(parts, 'part.hour'));
  return `SELECT part.model AS model, ${ofThis('toString(part.evaluator)')} AS evaluator, ${ofThis(day)} AS day, ${summed(qualitySums, 'part')}
FROM ${qualitySource(parts)}
GROUP BY model, evaluator, day
ORDER BY model = {model:String} DESC, evals DESC, model, evaluator, day
LIMIT ${maxQualityRows}`;
}

/** Quality of every model of a window, over all evaluators. */
export function qualityTotalsSql(parts: Parts): string {
  return `SELECT part.model AS model, ${summed(qualityMeanSums, 'part')}
FROM ${qualitySource(parts)}
GROUP BY model`;
}

/** Quality of a window by day, over all evaluators, of `{models:Array(String)}` and, named `''`, of all other models together. */
export function overviewQualitySql(parts: Parts): string {
  return `SELECT if(part.model IN {models:Array(String)}, part.model, '') AS name, ${bucketText(parts, bucket(parts, 'part.hour'))} AS day, ${summed(qualityMeanSums, 'part')}
FROM ${qualitySource(parts)}
GROUP BY name, day
ORDER BY name, day`;
}

function qualitySource(parts: Parts): string {
  const columns = ['hour', 'model', 'evaluator', ...qualitySums].join(', ');
  return sourceOf(parts, columns, { table: 'quality_hours', where: sealedHours(parts) }, qualityRollups(dirtyHours(parts)));
}
