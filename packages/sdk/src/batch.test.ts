import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf, encodeEvent, maxBatchBytes, maxBatchEvents, maxPayloadBytes } from './index.ts';
import type { IngestEvent, SpanEvent } from './index.ts';

const span = (fields: Partial<SpanEvent> = {}): SpanEvent => ({
  type: 'span',
  traceId: 'trace',
  spanId: 'span',
  name: 'chat',
  startTime: '2026-11-20T10:00:00.000Z',
  ...fields,
});
const parsed = (event: IngestEvent): Record<string, unknown> => JSON.parse(encodeEvent(event).line);
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('an event', () => {
  test('is one line with its fields as they are', () => {
    const event = span({
      kind: 'llm',
      usage: { inputTokens: 3 },
      input: 'two\nlines',
      tags: ['a'],
      model: null,
      output: undefined,
    });
    const { line, bytes, cut } = encodeEvent(event);
    expect(line).not.toContain('\n');
    expect(bytes).toBe(Buffer.byteLength(line));
    expect(cut).toEqual([]);
    const { output: _, ...sent } = event;
    expect(JSON.parse(line)).toEqual(sent);
  });

  test('leaves out NaN and Infinity in fields where the service would refuse them', () => {
    const event = parsed(
      span({ costUsd: NaN, timeToFirstTokenMs: Infinity, usage: { inputTokens: NaN, outputTokens: 2 }, input: NaN }),
    );
    expect(event).toMatchObject({ usage: { outputTokens: 2 }, input: 'NaN' });
    expect(event).not.toHaveProperty('costUsd');
    expect(event).not.toHaveProperty('timeToFirstTokenMs');
  });

  test('a payload over 500 kB is cut; the others stay', () => {
    const { line, cut } = encodeEvent(span({ input: 'x'.repeat(600_000), output: { answer: 42 } }));
    expect(cut).toEqual(['input']);
    const { input, output } = JSON.parse(line) as { input: string; output: unknown };
    expect(sizeOf(input)).toBe(maxPayloadBytes);
    expect(input).toMatch(/^x+… \[cut: 600000 characters in all\]$/);
    expect(output).toEqual({ answer: 42 });
  });

  test('payloads that exceed the limit in sum are cut to the same size; small ones stay whole', () => {
    const { line, bytes, cut } = encodeEvent(
      span({ input: 'é'.repeat(249_000), output: ['x'.repeat(499_000)], metadata: { note: 'y'.repeat(50_000) } }),
    );
    expect(cut).toEqual(['input', 'output']);
    expect(bytes + 1).toBeLessThanOrEqual(maxBatchBytes);
    expect(bytes).toBeGreaterThan(maxBatchBytes - 200);
    const event = JSON.parse(line) as SpanEvent;
    expect(event.metadata).toEqual({ note: 'y'.repeat(50_000) });
    expect(Math.abs(sizeOf(event.input) - sizeOf(event.output))).toBeLessThan(200);
  });

  test.each([
    null,
    undefined,
    7,
    'text',
    [],
    Object.create(null),
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    ),
  ])('that is invalid (%#) still becomes a line', (event) => {
    expect(typeof JSON.parse(encodeEvent(event as unknown as IngestEvent).line)).toBe('object');
  });

  test('a getter that throws costs its field only', () => {
    const event = Object.defineProperty(span(), 'input', {
      enumerable: true,
      get: () => {
        throw new Error('closed');
      },
    });
    expect(parsed(event)).toMatchObject({ spanId: 'span', input: { name: 'Error', message: 'closed' } });
  });
});

const text = fc.string({ unit: 'binary', maxLength: 200 });
const payload = fc.oneof(
  { weight: 30, arbitrary: fc.anything({ withBigInt: true, withMap: true, withTypedArray: true }) },
  { weight: 3, arbitrary: fc.tuple(text, fc.integer({ min: 1, max: 3_000 })).map(([part, times]) => part.repeat(times)) },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 20 }).map((parts) => Array.from({ length: 400 }, () => parts)) },
);
const events = fc
  .array(fc.record({ input: payload, output: payload, metadata: fc.dictionary(text, payload, { maxKeys: 3 }) }), {
    maxLength: 12,
  })
  .chain((some) => fc.integer({ min: 1, max: 12 }).map((times) => Array.from({ length: times }, () => some).flat()))
  .map((all) => all.map((fields, index) => span({ ...fields, spanId: `span-${index}` })));

test('every batch parses line by line, within its limits; no event is lost or moved', () => {
  fc.assert(
    fc.property(events, (all) => {
      const ids: string[] = [];
      for (const { body, bytes, events: count } of batchesOf(all.map(encodeEvent))) {
        expect(bytes).toBe(Buffer.byteLength(body));
        expect(bytes).toBeLessThanOrEqual(maxBatchBytes);
        const lines = body.split('\n');
        expect(lines.pop()).toBe('');
        expect(lines).toHaveLength(count);
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(maxBatchEvents);
        for (const line of lines) {
          const event = JSON.parse(line) as SpanEvent;
          ids.push(event.spanId);
          for (const value of [event.input, event.output, event.metadata]) {
            if (value !== undefined) expect(sizeOf(value)).toBeLessThanOrEqual(maxPayloadBytes);
          }
        }
      }
      expect(ids).toEqual(all.map(({ spanId }) => spanId));
    }),
    { numRuns: 20 },
  );
});

describe('batches', () => {
  const lineOf = (bytes: number) => ({ line: 'x'.repeat(bytes), bytes, cut: [] });

  test('are full before the next one begins', () => {
    const batches = [...batchesOf(Array.from({ length: 201 }, () => lineOf(10)))];
    expect(batches.map(({ events: count }) => count)).toEqual([100, 100, 1]);
    expect([...batchesOf([lineOf(449_999), lineOf(449_999), lineOf(1)])].map(({ bytes }) => bytes)).toEqual([900_000, 2]);
  });

  test('of no events are none', () => {
    expect([...batchesOf([])]).toEqual([]);
  });
});
