import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spanKinds } from '../../../contract/kinds.ts';
import { dayMs, iso, nowMs, read, spanOf } from './events.fixture.ts';

const id = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).filter((text) => text !== '.' && text !== '..');
const text = fc.string({ unit: 'binary', maxLength: 50 });
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
const at = fc.integer({ min: nowMs - 13 * dayMs, max: nowMs + dayMs });
const json = fc.jsonValue({ maxDepth: 4 });
const object = fc.dictionary(fc.string(), json, { maxKeys: 4 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anySpan = fc.record({
  type: fc.constant('span'),
  traceId: id,
  spanId: id,
  parentSpanId: optional(id),
  name: fc.string({ minLength: 1, maxLength: 50 }),
  kind: optional(fc.constantFrom(...spanKinds)),
  startTime: at.map(iso),
  model: optional(text),
  provider: optional(text),
  agentName: optional(text),
  operation: optional(text),
  usage: optional(fc.record({ inputTokens: count, outputTokens: count, cachedTokens: count }, { requiredKeys: [] })),
  costUsd: optional(amount),
  timeToFirstTokenMs: optional(amount),
  status: optional(fc.constantFrom('ok', 'error')),
  errorCode: optional(text),
  errorMessage: optional(text),
  tags: optional(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 5 })),
  promptVersion: optional(fc.oneof(count, text)),
  sessionId: optional(text),
  input: optional(json),
  output: optional(json),
  metadata: optional(object),
  attributes: optional(object),
});

test('any valid span is kept unchanged', () => {
  fc.assert(
    fc.property(anySpan, (event) => {
      const record = spanOf(event);
      const same = [
        'traceId',
        'spanId',
        'name',
        'model',
        'provider',
        'agentName',
        'operation',
        'errorMessage',
        'sessionId',
      ] as const;
      for (const field of same) expect(record[field]).toBe(event[field] ?? '');
      expect(record.startNs).toBe(BigInt(Date.parse(event.startTime)) * 1_000_000n);
      expect(record.kind).toBe(event.kind ?? 'span');
      expect(record.tags).toEqual(event.tags ?? []);
      expect(record.inputTokens).toBe(event.usage?.inputTokens ?? null);
      expect(record.timeToFirstTokenMs).toBe(event.timeToFirstTokenMs ?? null);
      if (event.costUsd !== undefined) expect(record).toMatchObject({ costUsd: event.costUsd, costStatus: 'provided' });
      expect(record.costUsd === null).toBe(record.costStatus === 'unpriced');
      expect(record.errorCode).toBe(event.errorCode || (event.status === 'error' ? 'unknown' : ''));
      expect(record.promptVersion).toBe(String(event.promptVersion ?? ''));
      for (const field of ['input', 'output', 'metadata', 'attributes'] as const) {
        const sent = event[field];
        expect(record[field]).toBe(sent === undefined || sent === null ? '' : JSON.stringify(sent));
      }
    }),
  );
});

test('any line is accepted or rejected with a sentence', () => {
  const almost = anySpan.chain((event) =>
    fc
      .dictionary(
        fc.constantFrom(...Object.keys(event), 'type', 'score', 'evaluator', 'timestamp', 'scoreId', '__proto__'),
        json,
        { maxKeys: 3 },
      )
      .map((changes) => JSON.stringify({ ...event, ...changes })),
  );
  const line = fc.oneof(almost, fc.json(), fc.string(), fc.constantFrom('', ' ', '{', '{}', '\u2028'));
  fc.assert(
    fc.property(
      fc.array(
        line.map((each) => each.replaceAll('\n', '')),
        { minLength: 1, maxLength: 20 },
      ),
      (lines) => {
        fc.pre(lines.some((each) => /[^ \t\r]/.test(each)));
        const { accepted, rejected, batch } = read(lines.join('\n'));
        expect(accepted).toBe(batch.spans.length + batch.scores.length);
        expect(accepted + rejected.length).toBe(lines.filter((each) => /[^ \t\r]/.test(each)).length);
        for (const refusal of rejected) {
          expect(refusal.code).toBe('invalid_request');
          expect(refusal.error).toMatch(/\.$/);
          expect(lines[refusal.line - 1]).toMatch(/[^ \t\r]/);
        }
      },
    ),
    { numRuns: 300 },
  );
});
