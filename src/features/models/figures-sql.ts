import { callRollups, callSums, qualityRollups, qualitySums, sealedRollups, summed } from './rollup-sql.ts';
import { roundedDuration, traceHash } from './rounded-duration.ts';

/** Which parts a read has: a window may have no sealed hours, or no dirty ones. */
export interface Parts {
  sealed: boolean;
  dirty: boolean;
}

/** Most rows of one kind in an answer: models, agents, operations, error codes, evaluators. */
export const mostItems = 10_000;
/** Most groups of scores in an answer: days of evaluators of one model, and other models. */
const mostQualityRows = 100_000;

const dirtyHours =
  'hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)}';
const ofModel = ' AND model = {model:String}';

/**
 * What to read `columns` of, named `part`: rollups, what stands in for them while hours are dirty, or both. Rollups alone are named
 * without a subquery around them: planning a statement takes the engine longer than reading them, and each level adds to it.
 *
 * @param rollups a table and a condition
 */
function source(parts: Parts, columns: string, rollups: { table: string; where: string }, dirty: string): string {
  const [table = '', ...joined] = rollups.table.split(' ');
  const sealed = `${[table, 'AS part', ...joined].join(' ')} WHERE ${rollups.where}`;
  if (!parts.dirty) return sealed;
  const unsealed = `SELECT ${columns} FROM (${dirty})`;
  return parts.sealed
    ? `(\n  SELECT ${columns} FROM ${sealed}\n  UNION ALL\n  ${unsealed}\n) AS part`
    : `(\n  ${unsealed}\n) AS part`;
}

const seen =
  'toUnixTimestamp64Milli(min(part.first_seen)) AS first_seen, toUnixTimestamp64Milli(max(part.last_seen)) AS last_seen';
const rollupColumns = ['hour', 'model', 'dimension', 'item', ...callSums, 'first_seen', 'last_seen'].join(', ');
/** Of all models only the model as a whole, of one model everything. */
const wholesAndModel = " AND (dimension = 'model' OR model = {model:String})";

function callSource(parts: Parts, wanted: string): string {
  const rollups = { table: 'model_hours', where: `${sealedRollups}${wanted}` };
  return source(parts, rollupColumns, rollups, callRollups(dirtyHours, wanted));
}

/**
 * Calls of a window: of `{model:String}` by provider, agent, operation and error code (`item`), and as a whole by day; of every other
 * model as a whole. Busiest first.
 */
export function callsSql(parts: Parts): string {
  return `SELECT part.dimension AS dimension, part.model AS model,
  if(part.dimension = 'model' AND part.model = {model:String}, toString(toDate(part.hour)), part.item) AS item, ${summed(callSums, 'part')},
  ${seen}
FROM ${callSource(parts, wholesAndModel)}
GROUP BY dimension, model, item
ORDER BY model = {model:String} DESC, calls DESC, model, item
LIMIT ${mostItems} BY dimension`;
}

/** How many rows {@link callsSql} has by dimension without its limit, and what they are together. */
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
LIMIT ${mostItems}`;
}

/**
 * Percentiles by model, of one model (`{model:String}`) or of all: the values at rank floor(q * (n - 1)) of the rounded durations of
 * finished calls (contract section 5). A model without finished calls has no row.
 */
export function percentilesSql(parts: Parts, oneModel: boolean): string {
  const model = oneModel ? ofModel : '';
  const at = (q: number) => `durations[arrayFirstIndex(held -> held > floor(${q} * (ranks[-1] - 1)), ranks)]`;
  return `WITH arraySort(groupArray((duration, occurrences))) AS pairs, pairs.1 AS durations, arrayCumSum(pairs.2) AS ranks
SELECT model, ${at(0.5)} AS p50, ${at(0.95)} AS p95, ${at(0.99)} AS p99
FROM (
  SELECT model, duration, sum(occurrence) AS occurrences
  FROM ${source(
    parts,
    'model, duration, occurrence',
    {
      table: 'model_hour_sketches ARRAY JOIN durations AS duration, duration_counts AS occurrence',
      where: `${sealedRollups}${model}`,
    },
    `SELECT model, ${roundedDuration('duration_ms')} AS duration, toUInt64(1) AS occurrence FROM calls FINAL
  WHERE ${dirtyHours}${model} AND finished = 1`,
  )}
  GROUP BY model, duration
)
GROUP BY model`;
}

/** Above so many hashes of traces (one counted once for each of its hours) only a sample of them is counted. */
export const exactHashes = 1_000_000;

/**
 * Distinct traces by model whose hash has none of the bits of `mask`: all of them when it is 0, and half as many for each further bit.
 * By default a mask is worked out that bounds the work; with `given` it is that of the model in `{models:Array(String)}` and
 * `{masks:Array(UInt64)}`, 0 for other models.
 */
export function tracesSql(parts: Parts, oneModel: boolean, given: 'given' | null = null): string {
  const model = oneModel ? ofModel : '';
  const held = `ifNull((SELECT sum(length(traces)) FROM model_hour_sketches WHERE ${sealedRollups}${model}), 0)`;
  const bound = parts.sealed ? `toUInt64(exp2(ceil(log2(greatest(1, ${held} / ${exactHashes})))) - 1)` : 'toUInt64(0)';
  const mask = given ? 'transform(toString(part.model), {models:Array(String)}, {masks:Array(UInt64)}, toUInt64(0))' : bound;
  return `SELECT part.model AS model, ${mask} AS mask, uniqExactArray(arrayFilter(trace_hash -> bitAnd(trace_hash, mask) = 0, part.traces)) AS traces
FROM ${source(
    parts,
    'model, traces',
    { table: 'model_hour_sketches', where: `${sealedRollups}${model}` },
    `SELECT model, groupUniqArray(${traceHash}) AS traces FROM calls FINAL WHERE ${dirtyHours}${model} GROUP BY model`,
  )}
GROUP BY model`;
}

/** Evaluation scores of a window: of `{model:String}` by evaluator and day, of every other model as a whole. */
export function qualitySql(parts: Parts): string {
  const ofThis = (column: string) => `if(part.model = {model:String}, toString(${column}), '')`;
  return `SELECT part.model AS model, ${ofThis('part.evaluator')} AS evaluator, ${ofThis('toDate(part.hour)')} AS day, ${summed(qualitySums, 'part')}
FROM ${qualitySource(parts)}
GROUP BY model, evaluator, day
ORDER BY model = {model:String} DESC, evals DESC, model, evaluator, day
LIMIT ${mostQualityRows}`;
}

/** Evaluation scores of every model of a window. */
export function qualityTotalsSql(parts: Parts): string {
  return `SELECT part.model AS model, ${summed(qualitySums, 'part')}
FROM ${qualitySource(parts)}
GROUP BY model`;
}

function qualitySource(parts: Parts): string {
  const columns = ['hour', 'model', 'evaluator', ...qualitySums].join(', ');
  return source(parts, columns, { table: 'quality_hours', where: sealedRollups }, qualityRollups(dirtyHours));
}
