import type { Score } from '../../contract/traces.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { textOf } from './stored-text.ts';

/** Maximum scores of one response. */
const maxScores = 10_000;

interface ScoreRow {
  score_id: string;
  trace_id: string;
  span_id: string;
  session_id: string;
  evaluator: string;
  /** null: none. */
  score: number | null;
  passed: number | null;
  label: string;
  comment: string;
  model: string;
  ms: number;
  source: string;
  metadata: string;
}

function scoresSql(where: string): string {
  return `SELECT score_id, trace_id, span_id, session_id, evaluator, score, passed, label, comment, model,
  toUnixTimestamp64Milli(start_time) AS ms, source, metadata
FROM scores FINAL
WHERE ${where}
ORDER BY start_time, score_id
LIMIT ${maxScores + 1}`;
}

export const traceScoresSql = scoresSql('trace_id = {trace:String}');
export const sessionScoresSql = scoresSql(`trace_id = '' AND session_id = {session:String}`);

export interface ScoreList {
  /** In time order. */
  scores: Score[];
  truncated: boolean;
}

/** The scores of a trace and of its spans. */
export function scoresOfTrace(reader: TenantReader, traceId: string): Promise<ScoreList> {
  return readScores(reader, traceScoresSql, { trace: traceId });
}

/** The scores of a session itself, without those of its traces. */
export function scoresOfSession(reader: TenantReader, sessionId: string): Promise<ScoreList> {
  return readScores(reader, sessionScoresSql, { session: sessionId });
}

async function readScores(reader: TenantReader, sql: string, parameters: Record<string, string>): Promise<ScoreList> {
  const rows = await reader.query<ScoreRow>(sql, parameters);
  return { scores: rows.slice(0, maxScores).map(toScore), truncated: rows.length > maxScores };
}

function toScore(row: ScoreRow): Score {
  return {
    scoreId: row.score_id,
    traceId: textOf(row.trace_id),
    spanId: textOf(row.span_id),
    sessionId: textOf(row.session_id),
    evaluator: row.evaluator,
    score: row.score,
    passed: row.passed === null ? null : row.passed === 1,
    label: textOf(row.label),
    comment: textOf(row.comment),
    model: textOf(row.model),
    timestamp: new Date(row.ms).toISOString(),
    source: row.source,
    ...recordedBy(row),
  };
}

/** The metadata of a score from the scores route is set by the service: it records the actor there. */
function recordedBy({ source, metadata }: ScoreRow): Pick<Score, 'recordedBy'> {
  if ((source !== 'api' && source !== 'annotation') || metadata === '') return {};
  return JSON.parse(metadata) as Pick<Score, 'recordedBy'>;
}
