import type { ScoreRecord, SpanRecord } from '../ingest/index.ts';
import { emptyScore, emptySpan } from '../ingest/records.fixture.ts';
import { nowMs } from './models-service.fixture.ts';

export const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1000)) * 1000n;

/** A span with nothing in it but a start, an hour ago. */
export const spanBefore: SpanRecord = { ...emptySpan, startNs: nanoseconds(nowMs - 3_600_000) };

/** A finished call of a second, an hour ago. */
export function call(overrides: Partial<SpanRecord> & { startMs?: number; durationMs?: number }): SpanRecord {
  const { startMs = nowMs - 3_600_000, durationMs = 1000, ...fields } = overrides;
  const startNs = nanoseconds(startMs);
  return { ...emptySpan, kind: 'llm', model: 'gpt-4o', startNs, endNs: startNs + nanoseconds(durationMs), ...fields };
}

/** A score of trace `t1`, an hour ago. */
export function score(overrides: Partial<ScoreRecord>): ScoreRecord {
  return { ...emptyScore, timestampMs: nowMs - 3_600_000, ...overrides };
}
