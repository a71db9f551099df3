import { percentileSql } from '../../platform/statistics/index.ts';
import { dirtyHours, graphColumns, graphRollups, sealedHours, sourceOf } from '../figures/index.ts';
import type { Parts } from '../figures/index.ts';

/** Maximum nodes, and edges, of a response. */
export const maxNodes = 500;
export const maxEdges = 20_000;
/** Maximum edges along which a blast radius is searched, and maximum nodes that it may find: those with the most calls. */
export const maxSearched = 50_000;

function graphSource(parts: Parts, wanted = ''): string {
  // The name of a node is known only after its row was taken apart.
  const dirty = `SELECT * FROM (${graphRollups(dirtyHours(parts))})${wanted === '' ? '' : ` WHERE ${wanted.slice(' AND '.length)}`}`;
  const rollups = { table: 'graph_hours', where: `${sealedHours(parts)}${wanted}` };
  return sourceOf(parts, graphColumns.join(', '), rollups, dirty);
}

const names = 'toString(part.source) AS source, toString(part.target) AS target';

/**
 * The nodes (`source` is `''`) and edges of a window, those with the most calls first, one edge more than {@link maxEdges}. `p95`: docs/semantics.md, "Percentiles".
 *
 * @param wanted condition on rows of `graph_hours`
 */
function figuresSql(parts: Parts, wanted: string): string {
  return `WITH arrayFlatten(groupArray(part.durations)) AS all_durations, arrayFlatten(groupArray(part.duration_counts)) AS counts,
  arrayCumSum(arraySort((counted, duration) -> duration, counts, all_durations)) AS ranks
SELECT ${names}, sum(part.calls) AS calls, sum(part.errors) AS errors, sumKahan(part.cost) AS cost,
  sum(part.unpriced) AS unpriced, sum(part.partly_priced) AS partly_priced,
  if(empty(ranks), 0, ${percentileSql({ values: 'arraySort(all_durations)', upTo: 'ranks' }, 0.95)}) AS p95
FROM ${graphSource(parts, wanted)}
GROUP BY source, target
HAVING calls > 0
ORDER BY source = '' DESC, calls DESC, source, target
LIMIT ${maxEdges + 1} BY source = ''`;
}

/** Every node and edge of a window. */
export function graphSql(parts: Parts): string {
  return figuresSql(parts, '');
}

/** The node `{node:String}`. */
export function nodeSql(parts: Parts): string {
  return figuresSql(parts, " AND source = '' AND target = {node:String}");
}

/** The calls of every node and edge of a window. */
export function outlineSql(parts: Parts): string {
  return `SELECT ${names}, sum(part.calls) AS calls
FROM ${graphSource(parts)}
GROUP BY source, target
HAVING calls > 0
ORDER BY source = '' DESC, calls DESC, source, target
LIMIT ${maxSearched} BY source = ''`;
}

const inWindow =
  'start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})';

/** Condition on `traces`: those of the window that contain `{node:String}`. */
function withNode(byEnvironment: boolean): string {
  const contained = byEnvironment
    ? 'arrayExists((named, environment_of) -> named = {node:String} AND has({environments:Array(String)}, environment_of), nodes, node_environments)'
    : 'has(nodes, {node:String})';
  return `${inWindow} AND ${contained}`;
}

/** The ids of the traces of a window that contain `{node:String}`. */
export function traceIdsSql(byEnvironment: boolean): string {
  return `SELECT trace_id FROM traces FINAL WHERE ${withNode(byEnvironment)}`;
}

const sessionHash = 'sipHash64(session_id)';
const userHash = 'sipHash64(user_id)';

/** Totals of those traces. Sessions and users are exact up to 2^15, then estimated; see {@link recountSql}. */
export function totalsSql(byEnvironment: boolean): string {
  return `SELECT count() AS traces, sumKahan(cost) AS cost, sum(unpriced_calls) AS unpriced, sum(partly_priced_calls) AS partly_priced,
  uniqCombined64If(20)(${sessionHash}, session_id != '') AS sessions,
  uniqCombined64If(20)(${userHash}, user_id != '') AS users
FROM traces FINAL
WHERE ${withNode(byEnvironment)}`;
}

/** Sessions and users of those traces whose hash has none of the bits of `{sessionMask:UInt64}` and `{userMask:UInt64}`, exactly. */
export function recountSql(byEnvironment: boolean): string {
  return `SELECT uniqExactIf(${sessionHash}, session_id != '' AND bitAnd(${sessionHash}, {sessionMask:UInt64}) = 0) AS sessions,
  uniqExactIf(${userHash}, user_id != '' AND bitAnd(${userHash}, {userMask:UInt64}) = 0) AS users
FROM traces FINAL
WHERE ${withNode(byEnvironment)}`;
}

/** The traces of a window with each of `{affected:Array(String)}`, and how many of them contain `{node:String}` too. Each row is a trace. */
export function sharesSql(byEnvironment: boolean): string {
  const contained = byEnvironment
    ? 'arrayDistinct(arrayFilter((named, environment_of) -> has({environments:Array(String)}, environment_of), nodes, node_environments))'
    : 'arrayDistinct(nodes)';
  return `SELECT toString(named) AS id, count() AS traces, countIf(has_node) AS shared
FROM (
  SELECT has(contained, {node:String}) AS has_node, arrayJoin(contained) AS named
  FROM (SELECT ${contained} AS contained FROM traces FINAL WHERE ${inWindow})
)
WHERE named IN {affected:Array(String)}
GROUP BY named`;
}
