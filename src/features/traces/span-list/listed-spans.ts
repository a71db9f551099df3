import type { ListedSpan } from '../../../contract/spans.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { ownAgent } from '../filter/span-values.ts';
import { readSpanColumns, toReadSpan } from '../read-spans.ts';
import type { Previews, ReadSpan } from '../read-spans.ts';
import { fieldsWithoutPayloads } from '../span-json.ts';
import { textOf } from '../stored-text.ts';
import { readSummaries } from '../trace-figures.ts';
import type { RetainedReaders } from '../traces-context.ts';
import type { SpanTable } from './span-table.ts';

/** The ids of a span. */
export interface SpanIds {
  traceId: string;
  spanId: string;
}

/** The ids of a span with its start, by which it is found in `span_headers`. */
export interface SpanKey extends SpanIds {
  /** Epoch nanoseconds. */
  startNs: string;
}

const isChosen = '(trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))';
const chosen = `PREWHERE trace_id IN {traces:Array(String)}\nWHERE ${isChosen}`;

const listedSpan = `SELECT ${readSpanColumns(false)}, ${ownAgent} AS own_agent`;

export const listedSpansSql = `${listedSpan}
FROM spans FINAL
${chosen}`;

/** The same by the starts of the spans. */
export const listedHeadersSql = `${listedSpan}
FROM span_headers FINAL
PREWHERE start_time IN (SELECT fromUnixTimestamp64Nano(toInt64(arrayJoin({starts:Array(String)}))))
WHERE ${isChosen}`;

/** The hours of the spans bound the read: `calls` is sorted by hour. */
export const listedCallsSql = `SELECT trace_id, span_id, agent_name, model != '' AS is_call
FROM calls FINAL
WHERE hour IN {hours:Array(DateTime)}
  AND (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))`;

/** The agents of the spans that are no calls. */
export const listedAgentsSql = `SELECT trace_id, span_id, agent_name
FROM span_agents FINAL
${chosen}`;

export const listedScoresSql = `SELECT trace_id, span_id, evaluator, score, passed, label
FROM scores FINAL
${chosen}
ORDER BY start_time DESC, score_id DESC
LIMIT 1 BY trace_id, span_id, evaluator`;

/** Columns of the summary of the trace of a listed span. */
export const traceColumns = 'trace_id, name, error, session_id, user_id, environment, release, tags';

interface TraceRow {
  trace_id: string;
  name: string;
  error: number;
  session_id: string;
  user_id: string;
  environment: string;
  release: string;
  tags: string[];
}

interface AgentRow {
  trace_id: string;
  span_id: string;
  agent_name: string;
}

interface ScoreRow {
  trace_id: string;
  span_id: string;
  evaluator: string;
  score: number | null;
  passed: number | null;
  label: string;
}

const keyOf = (traceId: string, spanId: string) => JSON.stringify([traceId, spanId]);

/** Maximum spans read at a time. */
const chunk = 1000;

/** Spans as lists have them, in the order of their ids. A span that was deleted meanwhile is left out, and one of `span_headers` that got another start. */
export async function readListedSpans(
  readers: RetainedReaders,
  ...[ids, table]: [ids: readonly SpanKey[], table: SpanTable] | [ids: readonly SpanIds[], table: 'spans']
): Promise<ListedSpan[]> {
  const read: ListedSpan[] = [];
  for (let start = 0; start < ids.length; start += chunk)
    read.push(...(await readChunk(readers, ids.slice(start, start + chunk), table === 'span_headers')));
  return read;
}

async function readChunk(
  readers: RetainedReaders,
  ids: ReadonlyArray<SpanIds & Partial<SpanKey>>,
  byStart: boolean,
): Promise<ListedSpan[]> {
  const { whole } = readers;
  const parameters = {
    traces: [...new Set(ids.map(({ traceId }) => traceId))],
    ofTraces: ids.map(({ traceId }) => traceId),
    spans: ids.map(({ spanId }) => spanId),
  };
  const [records, traces, scores, agents] = await Promise.all([
    byStart
      ? readRecords(whole, listedHeadersSql, { ...parameters, starts: [...new Set(ids.flatMap(({ startNs }) => startNs ?? []))] })
      : readRecords(whole, listedSpansSql, parameters),
    readSummaries<TraceRow>(readers, parameters.traces, traceColumns),
    whole.query<ScoreRow>(listedScoresSql, parameters),
    whole.query<AgentRow>(listedAgentsSql, parameters),
  ]);
  const hours = [...new Set([...records.values()].map(({ startNs }) => Number(startNs / 3_600_000_000_000n) * 3600))];
  const calls = await whole.query<AgentRow & { is_call: number }>(listedCallsSql, { ...parameters, hours });
  const traceOf = new Map(traces.map((row) => [row.trace_id, row]));
  const callKeys = new Set(calls.filter((row) => row.is_call === 1).map((row) => keyOf(row.trace_id, row.span_id)));
  const agentOf = new Map([...agents, ...calls].map((row) => [keyOf(row.trace_id, row.span_id), row.agent_name]));
  const scoresOf = Map.groupBy(scores, (row) => keyOf(row.trace_id, row.span_id));
  return ids.flatMap(({ traceId, spanId }) => {
    const key = keyOf(traceId, spanId);
    const span = records.get(key);
    if (!span) return [];
    const derived = { isCall: callKeys.has(key), agentName: span.ownAgent || (agentOf.get(key) ?? '') };
    return [toListed(span, derived, traceOf.get(traceId), scoresOf.get(key) ?? [])];
  });
}

/** A span with the name of its agent, also where only its own name tells it; `''` without one. */
type FoundSpan = ReadSpan & { ownAgent: string };

async function readRecords(
  reader: TenantReader,
  sql: string,
  parameters: Record<string, unknown>,
): Promise<Map<string, FoundSpan>> {
  const rows = await reader.query<Record<string, unknown> & Previews & { own_agent: string }>(sql, parameters);
  const found = rows.map((row) => ({ ...toReadSpan(row), ownAgent: row.own_agent }));
  return new Map(found.map((span) => [keyOf(span.traceId, span.spanId), span]));
}

/** @param derived what its whole trace tells of it */
function toListed(
  span: FoundSpan,
  derived: { isCall: boolean; agentName: string },
  trace: TraceRow | undefined,
  scores: readonly ScoreRow[],
): ListedSpan {
  const inherited: SpanRecord = {
    ...span,
    sessionId: span.sessionId || (trace?.session_id ?? ''),
    userId: span.userId || (trace?.user_id ?? ''),
    environment: span.environment || (trace?.environment ?? ''),
    release: span.release || (trace?.release ?? ''),
    tags: span.tags.length > 0 ? span.tags : (trace?.tags ?? []),
  };
  const rules = {
    kind: span.kind,
    agentName: derived.agentName,
    sessionId: inherited.sessionId,
    errorCode: span.status === 'error' ? span.errorCode : '',
    errorMessage: null,
    contentFrom: '',
  };
  const fields = fieldsWithoutPayloads(inherited, { spanId: span.spanId, depth: 0, rules, bytes: 0 });
  const { depth: _depth, requestModel: _requestModel, source: _source, contentFrom: _contentFrom, ...listed } = fields;
  return {
    ...(listed as Omit<ListedSpan, 'isCall' | 'inputPreview' | 'outputPreview' | 'scores' | 'trace'>),
    isCall: derived.isCall,
    inputPreview: textOf(span.inputPreview),
    outputPreview: textOf(span.outputPreview),
    scores: scores.map(({ evaluator, score, passed, label }) => ({
      evaluator,
      score,
      passed: passed === null ? null : passed === 1,
      label: textOf(label),
    })),
    trace: {
      name: textOf(trace?.name ?? ''),
      status: trace?.error === 1 ? 'error' : 'ok',
      sessionId: textOf(trace?.session_id ?? ''),
      userId: textOf(trace?.user_id ?? ''),
    },
  };
}
