import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { outcomes } from '../tables/outcomes.ts';
import type { OutcomeHeader } from '../tables/outcomes.ts';
import { scores } from '../tables/scores.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { traceTags } from '../tables/trace-tags.ts';
import type { TraceTagsHeader } from '../tables/trace-tags.ts';

/** Maximum trace ids in one query. */
const chunkSize = 1000;
/** Maximum spans read of one trace; a span beyond it inherits no agent name, and is a call even if it repeats one. */
export const maxSpansOfATrace = 20_000;

/**
 * Those of the given traces that have a stored row, also a replaced or deleted one. Reads the column `trace_id` alone, a twentieth of what
 * {@link storedSpans} reads.
 */
export async function storedTraceIds(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<string[]> {
  const stored = new Set<string>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const from = (table: string) =>
    `SELECT DISTINCT trace_id AS id FROM ${table} WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}`;
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<{ id: string }>(`${from('spans')} UNION ALL ${from('scores')}`, {
      project: projectId,
      traces: traceIds.slice(at, at + chunkSize),
    });
    for (const { id } of rows) stored.add(id);
  }
  return [...stored];
}

/** The spans of the given traces as stored, each in its latest version, by trace id. */
export async function storedSpans(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, SpanHeader[]>> {
  const byTrace = new Map<string, SpanHeader[]>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<LookedUp>(
      `SELECT ${spans.headerSelection} FROM spans FINAL WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}
       LIMIT ${maxSpansOfATrace} BY trace_id`,
      { project: projectId, traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const row of rows) append(byTrace, spans.parse(projectId, row));
  }
  return byTrace;
}

/** The scores of the given traces as stored, each in its latest version, by trace id. */
export async function storedScores(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, ScoreHeader[]>> {
  const byTrace = new Map<string, ScoreHeader[]>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<LookedUp>(
      `SELECT ${scores.headerSelection} FROM scores FINAL WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}
       LIMIT ${maxSpansOfATrace} BY trace_id`,
      { project: projectId, traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const row of rows) append(byTrace, scores.parse(projectId, row));
  }
  return byTrace;
}

/**
 * Some outcomes of a trace as stored, each in its latest version; at most {@link chunkSize}.
 *
 * @param below only those of a lower version
 */
export async function storedOutcomes(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceId: string,
  below: number,
): Promise<OutcomeHeader[]> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const rows = await reader.query<LookedUp>(
    `SELECT ${outcomes.headerSelection} FROM outcomes FINAL WHERE trace_id = {trace:String} AND version < {below:UInt64}
     LIMIT ${chunkSize}`,
    { trace: traceId, below: Math.min(below, Number.MAX_SAFE_INTEGER) },
  );
  return rows.map((row) => outcomes.parse(projectId, row));
}

/** What people changed in the tags of the given traces, by trace id; none for a trace whose tags nobody changed. */
export async function storedTags(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, TraceTagsHeader>> {
  const byTrace = new Map<string, TraceTagsHeader>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<LookedUp>(
      `SELECT ${traceTags.headerSelection} FROM trace_tags FINAL WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}`,
      { project: projectId, traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const row of rows) {
      const header = traceTags.parse(projectId, row);
      byTrace.set(header.traceId, header);
    }
  }
  return byTrace;
}

/** The outcomes of the given traces as stored, each in its latest version, by trace id. */
export async function storedOutcomesOf(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, OutcomeHeader[]>> {
  const byTrace = new Map<string, OutcomeHeader[]>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<LookedUp>(
      `SELECT trace_id AS trace, ${outcomes.headerSelection} FROM outcomes FINAL WHERE trace_id IN {traces:Array(String)}`,
      { traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const { trace, ...row } of rows) {
      const traceId = String(trace);
      byTrace.set(traceId, [...(byTrace.get(traceId) ?? []), outcomes.parse(projectId, row)]);
    }
  }
  return byTrace;
}

/** The stored scores with these ids, on any target. */
export async function storedScoresById(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  scoreIds: readonly string[],
): Promise<ScoreHeader[]> {
  const found: ScoreHeader[] = [];
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < scoreIds.length; at += chunkSize) {
    const rows = await reader.query<LookedUp>(
      `SELECT ${scores.headerSelection} FROM scores FINAL WHERE score_id IN {ids:Array(String)}`,
      {
        ids: scoreIds.slice(at, at + chunkSize),
      },
    );
    found.push(...rows.map((row) => scores.parse(projectId, row)));
  }
  return found;
}

type LookedUp = Record<string, unknown>;

function append<Header extends { traceId: string }>(byTrace: Map<string, Header[]>, header: Header): void {
  const headers = byTrace.get(header.traceId);
  if (headers) headers.push(header);
  else byTrace.set(header.traceId, [header]);
}
