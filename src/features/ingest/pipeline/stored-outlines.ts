import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { CostStatus, SpanKind } from '../../../contract/kinds.ts';
import type { ScoreOutline } from './score-row.ts';
import type { SpanOutline } from './span-row.ts';

/** Trace ids asked for in one query. */
const chunkSize = 1000;
/** Most spans of one trace that are looked at; what lies beyond keeps its own agent name and its own count. */
const mostSpansOfATrace = 20_000;

interface SpanRow {
  t: string;
  s: string;
  v: number;
  p: string;
  n: string;
  k: SpanKind;
  b: string;
  e: string | null;
  st: string;
  ec: string;
  m: string;
  pr: string;
  a: string;
  o: string;
  se: string;
  u: string;
  en: string;
  r: string;
  pn: string;
  pv: string;
  tg: string[];
  it: number | null;
  ot: number | null;
  ct: number | null;
  cw: number | null;
  rt: number | null;
  c: number | null;
  cs: CostStatus;
  tt: number | null;
  so: 'native' | 'otlp';
  ip: string;
  op: string;
}

// The fields have short names because a batch may bring back many thousand rows.
const spanColumns = `trace_id AS t, span_id AS s, version AS v, parent_span_id AS p, name AS n, kind AS k,
  toString(reinterpretAsInt64(start_time)) AS b, toString(reinterpretAsInt64(end_time)) AS e, status AS st, error_code AS ec, model AS m,
  provider AS pr, agent_name AS a, operation AS o, session_id AS se, user_id AS u, environment AS en, release AS r, prompt_name AS pn,
  prompt_version AS pv, tags AS tg, input_tokens AS it, output_tokens AS ot, cached_tokens AS ct, cache_write_tokens AS cw,
  reasoning_tokens AS rt, cost_usd AS c, cost_status AS cs, ttft_ms AS tt, source AS so, input_preview AS ip, output_preview AS op`;

/** The spans of the given traces as stored, each in its latest version, by trace id. */
export async function storedSpans(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, SpanOutline[]>> {
  const byTrace = new Map<string, SpanOutline[]>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<SpanRow>(
      `SELECT ${spanColumns} FROM spans FINAL WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}
       LIMIT ${mostSpansOfATrace} BY trace_id`,
      { project: projectId, traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const row of rows) append(byTrace, row.t, toOutline(projectId, row));
  }
  return byTrace;
}

interface ScoreRow {
  trace_id: string;
  score_id: string;
  version: number;
  span_id: string;
  evaluator: string;
  score: number;
  passed: number | null;
  model: string;
  ms: number;
}

const scoreColumns = `trace_id, score_id, version, span_id, evaluator, score, passed, model, toUnixTimestamp64Milli(start_time) AS ms`;

/** The scores of the given traces as stored, each in its latest version, by trace id. */
export async function storedScores(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  traceIds: readonly string[],
): Promise<Map<string, ScoreOutline[]>> {
  const byTrace = new Map<string, ScoreOutline[]>();
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<ScoreRow>(
      `SELECT ${scoreColumns} FROM scores FINAL WHERE project_id = {project:UUID} AND trace_id IN {traces:Array(String)}
       LIMIT ${mostSpansOfATrace} BY trace_id`,
      { project: projectId, traces: traceIds.slice(at, at + chunkSize) },
    );
    for (const row of rows) append(byTrace, row.trace_id, toScore(projectId, row));
  }
  return byTrace;
}

/** The stored scores that have one of these ids, whatever they are about. */
export async function storedScoresById(
  clickhouse: Pick<ClickHouse, 'forTenant'>,
  projectId: string,
  scoreIds: readonly string[],
): Promise<ScoreOutline[]> {
  const found: ScoreOutline[] = [];
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  for (let at = 0; at < scoreIds.length; at += chunkSize) {
    const rows = await reader.query<ScoreRow>(`SELECT ${scoreColumns} FROM scores FINAL WHERE score_id IN {ids:Array(String)}`, {
      ids: scoreIds.slice(at, at + chunkSize),
    });
    found.push(...rows.map((row) => toScore(projectId, row)));
  }
  return found;
}

function append<T>(byKey: Map<string, T[]>, key: string, value: T): void {
  const values = byKey.get(key);
  if (values) values.push(value);
  else byKey.set(key, [value]);
}

function toScore(projectId: string, row: ScoreRow): ScoreOutline {
  return {
    projectId,
    traceId: row.trace_id,
    scoreId: row.score_id,
    version: row.version,
    withdrawn: false,
    spanId: row.span_id,
    evaluator: row.evaluator,
    score: row.score,
    passed: row.passed,
    model: row.model,
    timestampMs: row.ms,
  };
}

function toOutline(projectId: string, row: SpanRow): SpanOutline {
  return {
    projectId,
    traceId: row.t,
    spanId: row.s,
    version: row.v,
    parentSpanId: row.p,
    name: row.n,
    kind: row.k,
    startNs: BigInt(row.b),
    endNs: row.e === null ? null : BigInt(row.e),
    error: row.st === 'error',
    errorCode: row.ec,
    model: row.m,
    provider: row.pr,
    agentName: row.a,
    operation: row.o,
    sessionId: row.se,
    userId: row.u,
    environment: row.en,
    release: row.r,
    promptName: row.pn,
    promptVersion: row.pv,
    tags: row.tg,
    inputTokens: row.it,
    outputTokens: row.ot,
    cachedTokens: row.ct,
    cacheWriteTokens: row.cw,
    reasoningTokens: row.rt,
    costUsd: row.c,
    costStatus: row.cs,
    ttftMs: row.tt,
    source: row.so,
    inputPreview: row.ip,
    outputPreview: row.op,
  };
}
