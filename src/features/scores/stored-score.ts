import type { ListedScore, ScoreSource } from '../../contract/scores.ts';
import { isRecord } from '../../platform/json/index.ts';

/** A row of `scores`. */
export interface ScoreRow {
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

export const scoreColumns = `score_id, trace_id, span_id, session_id, evaluator, score, passed, label, comment, model,
  toUnixTimestamp64Milli(start_time) AS ms, source, metadata`;

/** The stored sources of each source that lists name. */
export const storedSources: Readonly<Record<ScoreSource, readonly string[]>> = {
  application: ['native', 'otlp', 'api'],
  evaluator: ['evaluator'],
  annotation: ['annotation'],
};

/** Who recorded a score by `POST .../scores`; null of any other. */
export function recordedBy({ source, metadata }: Pick<ScoreRow, 'source' | 'metadata'>): { id: string; name: string } | null {
  if ((source !== 'api' && source !== 'annotation') || metadata === '') return null;
  const { recordedBy: by } = JSON.parse(metadata) as { recordedBy?: { id: string; name: string } };
  return by ?? null;
}

/** A score as lists return it. */
export function listedScore(row: ScoreRow): ListedScore {
  const text = (stored: string) => (stored === '' ? null : stored);
  const author = recordedBy(row);
  const metadata: unknown = row.metadata === '' || author !== null ? {} : JSON.parse(row.metadata);
  return {
    scoreId: row.score_id,
    traceId: text(row.trace_id),
    spanId: text(row.span_id),
    sessionId: text(row.session_id),
    evaluator: row.evaluator,
    score: row.score,
    value: null,
    passed: row.passed === null ? null : row.passed === 1,
    label: text(row.label),
    comment: text(row.comment),
    model: text(row.model),
    timestamp: new Date(row.ms).toISOString(),
    source: sourceOf(row.source),
    author: author?.name ?? null,
    metadata: isRecord(metadata) ? metadata : {},
  };
}

function sourceOf(stored: string): ScoreSource {
  return stored === 'evaluator' || stored === 'annotation' ? stored : 'application';
}
