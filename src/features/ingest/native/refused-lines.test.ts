import { expect, test } from 'vitest';
import { dayMs, iso, nowMs, readOne, refusalOf, score, span, trace } from './events.fixture.ts';

const refused: Array<[sentence: RegExp, event: unknown]> = [
  [/JSON array/, [span]],
  [/not a JSON object/, 'span'],
  [/not a JSON object/, null],
  [/^type must be/, {}],
  [/^type must be/, { ...span, type: 'event' }],
  [/^type must be/, { ...span, type: null }],
  [/^traceId is required/, { ...span, traceId: undefined }],
  [/^traceId must be 1 to 128/, { ...span, traceId: null }],
  [/^traceId must be 1 to 128/, { ...span, traceId: '' }],
  [/^traceId must be 1 to 128/, { ...span, traceId: 'x'.repeat(129) }],
  [/^traceId must be 1 to 128/, { ...span, traceId: 'a b' }],
  [/^traceId must be 1 to 128/, { ...span, traceId: 'a\n' }],
  [/^traceId must be 1 to 128/, { ...span, traceId: 5 }],
  [/^spanId is required/, { ...span, spanId: undefined }],
  [/^parentSpanId must be/, { ...span, parentSpanId: 'é' }],
  [/^name is required/, { ...span, name: undefined }],
  [/^name must not be empty/, { ...span, name: '' }],
  [/^name must be a string/, { ...span, name: {} }],
  [/^name must have at most/, { ...span, name: 'x'.repeat(5000) }],
  [/^kind must be one of llm, /, { ...span, kind: 'prompt' }],
  [/^startTime is required/, { ...span, startTime: undefined }],
  [/^startTime must be an ISO 8601/, { ...span, startTime: nowMs }],
  [/^startTime must be an ISO 8601/, { ...span, startTime: '2026-11-20T10:00:00' }],
  [/^startTime must be an ISO 8601/, { ...span, startTime: 'yesterday' }],
  [/^startTime is not a moment/, { ...span, startTime: '2026-02-30T10:00:00Z' }],
  [/^startTime is more than 24 hours ahead/, { ...span, startTime: iso(nowMs + dayMs + 1) }],
  [/^startTime is older/, { ...span, startTime: iso(nowMs - 14 * dayMs - 1) }],
  [/^endTime is more than 24 hours ahead/, { ...span, endTime: iso(nowMs + dayMs + 1) }],
  [/^endTime is before startTime/, { ...span, endTime: iso(nowMs - 1) }],
  [/^timestamp is older/, { ...trace, timestamp: iso(nowMs - 15 * dayMs) }],
  [/^timestamp is more than/, { ...score, timestamp: iso(nowMs + 2 * dayMs) }],
  [/^usage.inputTokens must be a whole number from 0/, { ...span, usage: { inputTokens: -1 } }],
  [/^usage.inputTokens must be a whole number from 0/, { ...span, usage: { inputTokens: 1.5 } }],
  [/^usage.inputTokens must be a whole number from 0/, { ...span, usage: { inputTokens: '5' } }],
  [/^usage.outputTokens must be a whole number from 0/, { ...span, usage: { outputTokens: 2 ** 53 } }],
  [/^usage has no field "totalTokens"/, { ...span, usage: { totalTokens: 5 } }],
  [/^usage must be an object/, { ...span, usage: 5 }],
  [/^usage must be an object/, { ...span, usage: [] }],
  [/^costUsd must be a number from 0/, { ...span, costUsd: -0.1 }],
  [/^costUsd must be a number from 0/, { ...span, costUsd: '1' }],
  [/^costUsd must be a number from 0 to 1e12/, { ...span, costUsd: 1e308 }],
  [/^timeToFirstTokenMs must be a number from 0/, { ...span, timeToFirstTokenMs: -1 }],
  [/^status must be one of ok, error/, { ...span, status: 'unset' }],
  [/^tags must be an array/, { ...span, tags: 'a' }],
  [/^tags.1 must not be empty/, { ...span, tags: ['a', ''] }],
  [/^tags.0 must be a string/, { ...span, tags: [1] }],
  [/^tags must have at most 100/, { ...span, tags: Array.from({ length: 101 }, String) }],
  [/^promptVersion must be a whole number/, { ...span, promptVersion: -1 }],
  [/^promptVersion must be a version/, { ...span, promptVersion: true }],
  [/^metadata must be an object/, { ...span, metadata: [] }],
  [/^attributes must be an object/, { ...span, attributes: 'a' }],
  [/has no field "trace_id"/, { ...span, trace_id: 't1' }],
  [/has no field "score"/, { ...span, score: 1 }],
  [/has no field "spanId"/, { ...trace, spanId: 's1' }],
  [/has no field "name"/, { ...score, name: 'x' }],
  [/^evaluator is required/, { ...score, evaluator: undefined }],
  [/^evaluator must be 1 to 128 printable characters/, { ...score, evaluator: 'two\nlines' }],
  [/^score is required/, { ...score, score: undefined }],
  [/^score must be a number from -1e12 to 1e12, or true or false/, { ...score, score: '1' }],
  [/^score must be a number from -1e12 to 1e12/, { ...score, score: -1.1e12 }],
  [/^passed must be true or false/, { ...score, passed: 1 }],
  [/^scoreId must be 1 to 128/, { ...score, scoreId: 'a b' }],
];

test.each(refused)('refuses: %s', (sentence, event) => {
  const told = refusalOf(event);
  expect(told).toMatch(sentence);
  expect(told).toMatch(/\.$/);
  expect(told.length).toBeLessThan(1000);
});

test.each([
  ['startTime a day ahead', { startTime: iso(nowMs + dayMs) }],
  ['startTime at the edge of the retention', { startTime: iso(nowMs - 14 * dayMs) }],
  ['endTime at startTime', { endTime: iso(nowMs) }],
  ['the largest count', { usage: { inputTokens: Number.MAX_SAFE_INTEGER } }],
  ['a version that is a text', { promptVersion: 'v3-beta' }],
  ['the longest id', { traceId: 'x'.repeat(128) }],
])('takes %s', (_, more) => {
  expect(readOne({ ...span, ...more })).toMatchObject({ accepted: 1, rejected: [] });
});
