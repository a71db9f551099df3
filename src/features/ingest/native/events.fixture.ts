import { expect } from 'vitest';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { readEvents } from './read-events.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
export const dayMs = 86_400_000;
export const options = { nowMs, oldestMs: nowMs - 14 * dayMs, bodyKey: 'body' };
export const iso = (ms: number) => new Date(ms).toISOString();

export const read = (text: string, more: Partial<typeof options> & { firstSeenMs?: number } = {}) =>
  readEvents(Buffer.from(text), { ...options, ...more });
export const readOne = (event: unknown) => read(JSON.stringify(event));

export const span = { type: 'span', traceId: 't1', spanId: 's1', name: 'chat', startTime: iso(nowMs) };
export const trace = { type: 'trace', traceId: 't1' };
export const score = { type: 'score', traceId: 't1', evaluator: 'helpful', score: 0.5 };

export function spanOf(event: object): SpanRecord {
  const { batch, rejected } = readOne(event);
  expect(rejected).toEqual([]);
  const [record] = batch.spans;
  if (!record) throw new Error('no span was read');
  return record;
}

export function scoreOf(event: object): ScoreRecord {
  const { batch, rejected } = readOne(event);
  expect(rejected).toEqual([]);
  const [record] = batch.scores;
  if (!record) throw new Error('no score was read');
  return record;
}

/** Why a single line is refused. */
export function refusalOf(event: unknown): string {
  const { rejected, batch, accepted } = readOne(event);
  expect([accepted, batch.spans.length, batch.scores.length]).toEqual([0, 0, 0]);
  expect(rejected).toMatchObject([{ line: 1, code: 'invalid_request' }]);
  return rejected[0]?.error ?? '';
}
