import type { ScoreRecord, SpanRecord } from '../records/index.ts';
import { emptyScore, emptySpan } from '../records/records.fixture.ts';
import { nowMs } from './models-service.fixture.ts';

export const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1000)) * 1000n;

/** A span that started an hour ago, all other fields empty. */
export const spanBefore: SpanRecord = { ...emptySpan, startNs: nanoseconds(nowMs - 3_600_000) };

/** A finished call of one second, started an hour ago. */
export function call(overrides: Partial<SpanRecord> & { startMs?: number; durationMs?: number }): SpanRecord {
  const { startMs = nowMs - 3_600_000, durationMs = 1000, ...fields } = overrides;
  const startNs = nanoseconds(startMs);
  return { ...emptySpan, kind: 'llm', model: 'gpt-4o', startNs, endNs: startNs + nanoseconds(durationMs), ...fields };
}

/** A score of trace `t1`, an hour ago. */
export function score(overrides: Partial<ScoreRecord>): ScoreRecord {
  return { ...emptyScore, timestampMs: nowMs - 3_600_000, ...overrides };
}
