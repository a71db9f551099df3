import type { ScoreRecord, SpanRecord } from '../ingest/index.ts';
import { nowMs } from './models-service.fixture.ts';

export const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1000)) * 1000n;

/** A span with nothing in it but a start, an hour ago. */
export const emptySpan: SpanRecord = {
  traceId: 't1',
  spanId: 'a',
  parentSpanId: '',
  name: 'span',
  kind: 'span',
  startNs: nanoseconds(nowMs - 3_600_000),
  endNs: null,
  status: '',
  errorCode: '',
  errorMessage: '',
  model: '',
  requestModel: '',
  provider: '',
  agentName: '',
  operation: '',
  sessionId: '',
  userId: '',
  environment: '',
  release: '',
  service: '',
  promptName: '',
  promptVersion: '',
  tags: [],
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costUsd: null,
  costStatus: 'unpriced',
  timeToFirstTokenMs: null,
  source: 'native',
  scopeName: '',
  input: '',
  output: '',
  metadata: '',
  attributes: '',
  extra: '',
};

/** A finished call of a second, an hour ago. */
export function call(overrides: Partial<SpanRecord> & { startMs?: number; durationMs?: number }): SpanRecord {
  const { startMs = nowMs - 3_600_000, durationMs = 1000, ...fields } = overrides;
  const startNs = nanoseconds(startMs);
  return { ...emptySpan, kind: 'llm', model: 'gpt-4o', startNs, endNs: startNs + nanoseconds(durationMs), ...fields };
}

/** A score of trace `t1`, an hour ago. */
export function score(overrides: Partial<ScoreRecord>): ScoreRecord {
  return {
    scoreId: 's1',
    traceId: 't1',
    spanId: '',
    sessionId: '',
    evaluator: 'helpful',
    score: 1,
    passed: null,
    label: '',
    comment: '',
    model: '',
    timestampMs: nowMs - 3_600_000,
    source: 'native',
    metadata: '',
    ...overrides,
  };
}
