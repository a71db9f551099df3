import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact } from '../../platform/statistics/index.ts';
import { readRemaining } from './partly-expired.ts';
import { textOf } from './stored-text.ts';
import { readerFor, readersFor } from './traces-context.ts';
import type { RetainedReaders, TracesContext } from './traces-context.ts';

type Reading = Pick<TracesContext, 'clickhouse' | 'clock'>;
type Reader = Pick<Tenant, 'projectId' | 'plan'>;

/** Duration, cost and status of a trace; `costUsd` is without its unpriced calls, and without a part of its partly priced ones. */
export interface TraceFigures {
  /** Milliseconds; null while none of its spans has ended. */
  durationMs: number | null;
  costUsd: number;
  unpricedCalls: number;
  partlyPricedCalls: number;
  /** Whether one of its spans has failed. */
  failed: boolean;
}

/** A score whose target is the trace. */
export interface TraceScore {
  evaluator: string;
  score: number;
  passed: boolean | null;
  comment: string | null;
}

/** Maximum ids in one query. */
const chunk = 500;

/** Columns of {@link readTraceFigures}. */
export const figureColumns = 'trace_id, duration_ms, cost, unpriced_calls, partly_priced_calls, error';

interface FiguresRow {
  trace_id: string;
  duration_ms: number | null;
  cost: number;
  unpriced_calls: number;
  partly_priced_calls: number;
  error: number;
}

/**
 * SQL of columns of the stored summaries of traces by id. Table `traces` is sorted by start time, so that the starts under which a trace has rows are looked up first,
 * without FINAL, by the index of ids.
 */
export function summariesSql(columns: string): string {
  return `SELECT ${columns}
FROM traces FINAL
PREWHERE start_time GLOBAL IN (SELECT start_time FROM traces WHERE trace_id IN {traces:Array(String)})
WHERE trace_id IN {traces:Array(String)}
ORDER BY start_time DESC
LIMIT 1 BY trace_id`;
}

/**
 * Columns of the summaries of traces by id, those of partly expired ones of their retained records; none for a trace that the project does not have or that has
 * expired.
 *
 * @param columns with `trace_id`
 */
export async function readSummaries<T extends { trace_id: string }>(
  readers: RetainedReaders,
  traceIds: readonly string[],
  columns: string,
): Promise<T[]> {
  const rows = await readByTrace<T>(readers.whole, summariesSql(columns), traceIds);
  const whole = new Set(rows.map((row) => row.trace_id));
  const missing = traceIds.filter((traceId) => !whole.has(traceId));
  return [...rows, ...(await readRemaining<T>(readers, missing, columns))];
}

/** Figures of traces by id, without traces that the project does not have or that have expired. */
export async function readTraceFigures(
  context: Reading,
  tenant: Reader,
  traceIds: readonly string[],
): Promise<Map<string, TraceFigures>> {
  const figures = new Map<string, TraceFigures>();
  const rows = await readSummaries<FiguresRow>(readersFor(context, tenant), traceIds, figureColumns);
  for (const row of rows)
    figures.set(row.trace_id, {
      durationMs: row.duration_ms,
      costUsd: exact(row.cost),
      unpricedCalls: row.unpriced_calls,
      partlyPricedCalls: row.partly_priced_calls,
      failed: row.error === 1,
    });
  return figures;
}

/** Maximum evaluators of one trace. */
const maxEvaluators = 100;

export const latestTraceScoresSql = `SELECT * FROM (
  SELECT trace_id, evaluator, score, passed, comment
  FROM scores FINAL
  WHERE trace_id IN {traces:Array(String)} AND span_id = '' AND NOT isNaN(score)
  ORDER BY start_time DESC, score_id DESC
  LIMIT 1 BY trace_id, evaluator
)
ORDER BY trace_id, evaluator
LIMIT ${maxEvaluators} BY trace_id`;

/** The latest score of each evaluator whose target is the trace; at most 100 evaluators for each trace. */
export async function readTraceScores(
  context: Reading,
  tenant: Reader,
  traceIds: readonly string[],
): Promise<Map<string, TraceScore[]>> {
  interface Row {
    trace_id: string;
    evaluator: string;
    score: number;
    passed: number | null;
    comment: string;
  }
  const rows = await readByTrace<Row>(readerFor(context, tenant), latestTraceScoresSql, traceIds);
  const byTrace = new Map<string, TraceScore[]>();
  for (const { trace_id: traceId, evaluator, score, passed, comment } of rows) {
    const scores = byTrace.get(traceId) ?? [];
    scores.push({ evaluator, score, passed: passed === null ? null : passed === 1, comment: textOf(comment) });
    byTrace.set(traceId, scores);
  }
  return byTrace;
}

async function readByTrace<T>(reader: TenantReader, sql: string, traceIds: readonly string[]): Promise<T[]> {
  const ids = [...new Set(traceIds)];
  const read: T[] = [];
  for (let start = 0; start < ids.length; start += chunk) {
    read.push(...(await reader.query<T>(sql, { traces: ids.slice(start, start + chunk) })));
  }
  return read;
}
