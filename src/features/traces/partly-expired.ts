import { allOf, indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../platform/clickhouse/index.ts';
import { remainingSummaries } from './remaining-summary.ts';
import type { RetainedReaders } from './traces-context.ts';

/** Maximum ids in one query. */
const chunk = 500;

/** The partly expired traces of a project. */
export interface PartlyExpired {
  /** Epoch milliseconds. */
  edgeMs: number;
  /** A SELECT of their ids; may have traces of which nothing is left. */
  traces: SqlPart;
  /** The start of the newest record of any of them, epoch nanoseconds. */
  newestNs: bigint;
}

/** Maximum traces whose ids are passed from one query to the next; beyond, each query looks for them again. */
const maxIds = 1000;

/**
 * Finds partly expired traces; null when there are none.
 *
 * @param fromNs only traces with a record from this time on
 */
export async function findPartlyExpired({ partly, edgeMs }: RetainedReaders, fromNs: bigint): Promise<PartlyExpired | null> {
  const acrossEdge = acrossEdgeSql(edgeMs, fromNs);
  const candidates = await partly.query<{ trace_id: string }>(`${acrossEdge.text}\nLIMIT ${maxIds + 1}`, acrossEdge.parameters);
  if (candidates.length === 0) return null;
  const { text, parameters } = partlyExpiredSql(candidates.length > maxIds ? acrossEdge : idsOf(candidates), edgeMs);
  const rows = await partly.query<{ trace_id: string; newest: string }>(`${text}\nLIMIT ${maxIds + 1}`, parameters);
  if (rows.length === 0) return null;
  if (rows.length > maxIds) {
    const traces = { text: `SELECT trace_id FROM (\n${text}\n)`, parameters };
    return { edgeMs, traces, newestNs: BigInt(rows[0]?.newest ?? 0) };
  }
  return { edgeMs, traces: idsOf(rows), newestNs: BigInt(rows[0]?.newest ?? 0) };
}

function idsOf(rows: ReadonlyArray<{ trace_id: string }>): SqlPart {
  return {
    text: 'SELECT arrayJoin({partlyExpired:Array(String)})',
    parameters: { partlyExpired: rows.map((row) => row.trace_id) },
  };
}

/**
 * SQL of the ids of the traces with stored rows, also replaced and deleted ones, that sum up records from both sides of the edge. By the indexes of
 * `oldest_time` and `newest_time`, and usually without a result, so that a list without partly expired traces asks nothing more.
 *
 * @param fromNs only traces with a record from this time on
 */
export function acrossEdgeSql(edgeMs: number, fromNs: bigint): SqlPart {
  return {
    text: `SELECT DISTINCT trace_id FROM traces
WHERE oldest_time < fromUnixTimestamp64Milli({edge:Int64}) AND newest_time >= fromUnixTimestamp64Nano({newest:Int64})`,
    parameters: { edge: edgeMs, newest: String(fromNs) },
  };
}

/**
 * SQL of the partly expired ones among traces, the trace with the newest record first. Once expired spans are deleted, a later span makes a new summary
 * beside the old one: a trace that has a whole summary is not partly expired.
 */
export function partlyExpiredSql(among: SqlPart, edgeMs: number): SqlPart {
  return {
    text: `SELECT trace_id, toString(reinterpretAsInt64(max(newest_time))) AS newest
FROM traces FINAL
WHERE trace_id GLOBAL IN (
  ${indented(among.text, 2)}
)
GROUP BY trace_id
HAVING max(oldest_time) < fromUnixTimestamp64Milli({edge:Int64})
ORDER BY max(newest_time) DESC`,
    parameters: { ...among.parameters, edge: edgeMs },
  };
}

/** SQL of {@link readRemaining}. */
export function remainingSql(traceIds: readonly string[], columns: string, edgeMs: number): SqlPart {
  const traces = { text: 'SELECT arrayJoin({traces:Array(String)})', parameters: { traces: traceIds } };
  const { text, parameters } = remainingSummaries(traces, edgeMs);
  return { text: `SELECT ${columns}\nFROM (\n  ${text}\n)`, parameters };
}

/** The summaries of traces by id, of the retained records alone; none for a trace without any. */
export async function readRemaining<T>(
  { whole, edgeMs }: RetainedReaders,
  traceIds: readonly string[],
  columns: string,
): Promise<T[]> {
  const ids = [...new Set(traceIds)];
  const read: T[] = [];
  for (let start = 0; start < ids.length; start += chunk) {
    const { text, parameters } = remainingSql(ids.slice(start, start + chunk), columns, edgeMs);
    read.push(...(await whole.query<T>(text, parameters)));
  }
  return read;
}

/** Where the summaries of a project are read. */
export interface SummarySource {
  reader: TenantReader;
  /** null when no trace is partly expired. */
  partlyExpired: PartlyExpired | null;
}

/** @param fromNs only partly expired traces with a record from this time on */
export async function sourceOf(readers: RetainedReaders, fromNs: bigint): Promise<SummarySource> {
  const partlyExpired = await findPartlyExpired(readers, fromNs);
  return { reader: partlyExpired === null ? readers.whole : readers.partly, partlyExpired };
}

/**
 * FROM and WHERE over the summaries of a project that match a condition, those of partly expired traces made of their retained records.
 *
 * @param columns what is read of a summary, comma-separated
 * @param further conditions on these columns, applied once to both kinds of summaries: for those that take a subquery
 */
export function retainedSummaries(
  where: SqlPart,
  columns: string,
  partlyExpired: PartlyExpired | null,
  further: readonly SqlPart[] = [],
): SqlPart {
  if (partlyExpired === null) {
    const { text, parameters } = allOf([where, ...further]);
    return { text: `traces FINAL\nWHERE ${text}`, parameters };
  }
  const remaining = remainingSummaries(partlyExpired.traces, partlyExpired.edgeMs);
  const outer = allOf(further);
  return {
    text: `(
  SELECT ${columns} FROM traces FINAL
  WHERE start_time >= fromUnixTimestamp64Milli({edge:Int64}) AND reinterpretAsInt64(oldest_time) >= {edge:Int64} * 1000000
    AND ${where.text}
  UNION ALL
  SELECT ${columns} FROM (
  ${remaining.text}
  )
  WHERE ${where.text}
)${further.length === 0 ? '' : `\nWHERE ${outer.text}`}`,
    parameters: { ...where.parameters, ...remaining.parameters, ...outer.parameters },
  };
}

/**
 * A SELECT of the ids of the traces whose summaries match a condition, and of all partly expired traces: a filter in advance, which makes no summaries of
 * retained records.
 */
export function candidateIds(where: SqlPart, partlyExpired: PartlyExpired | null): SqlPart {
  return {
    text: `SELECT trace_id FROM traces FINAL\nWHERE ${where.text}${partlyExpired === null ? '' : `\nUNION ALL\n${partlyExpired.traces.text}`}`,
    parameters: { ...where.parameters, ...partlyExpired?.traces.parameters },
  };
}
