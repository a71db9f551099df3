import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeRequest } from '../../../test/support/otlp-oracle.ts';
import { fieldNames, fieldPriority } from './wire/field-priority.ts';
import { type OtlpReading } from './read-traces.ts';
import { readChecked } from './read-checked.fixture.ts';
import { OtlpDecodeError } from './wire/otlp-decode-error.ts';
import { jsonAttributes, oneSpanRequest } from './otlp-requests.fixture.ts';
import { fixtureBytes, readRecorded, recordedOptions } from './recorded-bodies.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const options = { nowMs, oldestMs: nowMs - 14 * dayMs };

function read(request: object): OtlpReading {
  return readChecked(Buffer.from(JSON.stringify(request)), 'json', options);
}

function edge(file: string): OtlpReading {
  const { contentType, contentEncoding } = edgeCase(file);
  const bytes = fixtureBytes(`edge/${file}`);
  const body = contentEncoding === 'gzip' ? gunzipSync(bytes) : bytes;
  return readChecked(body, contentType.startsWith('application/json') ? 'json' : 'protobuf', recordedOptions);
}

interface EdgeCase {
  file: string;
  contentType: string;
  contentEncoding: string | null;
}

function edgeCase(file: string): EdgeCase {
  const cases = JSON.parse(fixtureBytes('edge/index.json').toString()) as EdgeCase[];
  const found = cases.find((candidate) => candidate.file === file);
  if (found === undefined) throw new Error(`${file} is not in edge/index.json`);
  return found;
}

describe('the protocol cases of test/fixtures/otlp/edge', () => {
  test.each(['empty-proto.bin', 'empty-json-object.bin', 'empty-resourceSpans.bin', 'snake-case.bin'])(
    '%s has no spans',
    (file) => {
      expect(edge(file)).toMatchObject({ accepted: 0, rejected: 0 });
    },
  );

  test.each(['minimal.bin', 'minimal-charset.bin', 'uppercase-hex.bin', 'unknown-fields.bin', 'gzip-json.bin'])(
    '%s is accepted',
    (file) => {
      const { batch, accepted, rejected } = edge(file);
      expect({ accepted, rejected }).toEqual({ accepted: 1, rejected: 0 });
      expect(batch.spans[0]).toMatchObject({
        traceId: '5b8efff798038103d269b633813fc60c',
        spanId: 'eee19b7ec3c1b174',
        kind: 'llm',
        model: 'gpt-5.4',
        inputTokens: 12,
        startNs: 1790000000000000001n,
        endNs: 1790000000900000002n,
      });
    },
  );

  test.each([
    ['base64-ids.bin', 'invalidId'],
    ['zero-trace-id.bin', 'invalidId'],
    ['enum-as-string.bin', 'enumNotInteger'],
  ])('%s is rejected for %s', (file, reason) => {
    const { batch, accepted, rejected, rejections } = edge(file);
    expect({ accepted, rejected, spans: batch.spans }).toEqual({ accepted: 0, rejected: 1, spans: [] });
    expect(rejections).toMatchObject({ [reason]: 1 });
  });

  test.each(['empty-json-zero-bytes.bin', 'truncated-proto.bin', 'garbage-proto.bin', 'invalid-json.bin'])(
    '%s does not parse',
    (file) => {
      expect(() => edge(file)).toThrow(OtlpDecodeError);
    },
  );

  test('of 600 spans the first 512 are accepted', () => {
    for (const reading of [edge('proto-600-spans-gzip.bin'), readRecorded('sdk-overflow600-proto.01.bin')]) {
      expect(reading).toMatchObject({ accepted: 512, rejected: 88, rejections: { overLimit: 88 } });
    }
  });
});

describe('which spans are accepted', () => {
  test.each([
    ['an empty trace id', { traceId: '' }, 'invalidId'],
    ['no span id', { spanId: undefined }, 'invalidId'],
    ['a zero span id', { spanId: '0000000000000000' }, 'invalidId'],
    ['a short span id', { spanId: 'eee19b7ec3c1b1' }, 'invalidId'],
    ['a long trace id', { traceId: '5b8efff798038103d269b633813fc60c00' }, 'invalidId'],
    ['a trace id with other letters', { traceId: '5b8efff798038103d269b633813fc60g' }, 'invalidId'],
    ['an id that is a number', { spanId: 12 }, 'invalidId'],
    ['a parent id of another length', { parentSpanId: 'abcd' }, 'invalidId'],
    ['a status code as a string', { status: { code: 'STATUS_CODE_ERROR' } }, 'enumNotInteger'],
    ['no start', { startTimeUnixNano: undefined }, 'timeOutOfRange'],
    ['a start of 0', { startTimeUnixNano: '0' }, 'timeOutOfRange'],
    ['a start that is not a number', { startTimeUnixNano: 'now' }, 'timeOutOfRange'],
    ['a start before the retention', { startTimeUnixNano: `${options.oldestMs - 1}999999` }, 'timeOutOfRange'],
    ['a start more than a day ahead', { startTimeUnixNano: `${nowMs + dayMs}000001` }, 'timeOutOfRange'],
    ['an end more than a day ahead', { endTimeUnixNano: `${nowMs + dayMs}000001` }, 'timeOutOfRange'],
  ])('a span with %s is rejected', (_what, span, reason) => {
    const { accepted, rejected, rejections } = read(oneSpanRequest(nowMs, span));
    expect({ accepted, rejected }).toEqual({ accepted: 0, rejected: 1 });
    expect(rejections).toMatchObject({ [reason]: 1 });
  });

  test.each([
    ['the oldest start', { startTimeUnixNano: `${options.oldestMs}000000` }],
    ['the latest start', { startTimeUnixNano: `${nowMs + dayMs}000000`, endTimeUnixNano: '0' }],
    ['a parent of zeros, as a root', { parentSpanId: '0000000000000000' }],
    ['an unknown kind number', { kind: 42 }],
  ])('a span with %s is accepted', (_what, span) => {
    const { batch, accepted } = read(oneSpanRequest(nowMs, span));
    expect(accepted).toBe(1);
    expect(batch.spans[0]?.parentSpanId).toBe('');
  });

  test('spans after the limit are rejected even when others before them are rejected', () => {
    expect(read(oneSpanRequest(nowMs, { traceId: '' }, 602))).toMatchObject({
      accepted: 511,
      rejected: 91,
      rejections: { overLimit: 90, invalidId: 1, enumNotInteger: 0, timeOutOfRange: 0 },
    });
  });
});

describe('times', () => {
  test.each([undefined, '0'])('an end of %s means that the span is running', (endTimeUnixNano) => {
    expect(read(oneSpanRequest(nowMs, { endTimeUnixNano })).batch.spans[0]?.endNs).toBeNull();
  });

  test('an end before the start is replaced by the start', () => {
    const [span] = read(oneSpanRequest(nowMs, { endTimeUnixNano: `${nowMs - 1}000000` })).batch.spans;
    expect(span?.endNs).toBe(span?.startNs);
  });
});

/** Values of every type, JSON texts included. */
const anything = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.json(),
  fc.constantFrom('', '""', '[]', '{}', '[{"role":"user"}]', '-1', '1e999', 'null', '{"total":-1}', '["a",["b"]]', '2026-13-45'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
);
const knownNames = [...new Set(fieldNames.flatMap((field): readonly string[] => fieldPriority[field]))].map((name) =>
  name.replace('.*', '.0.message.content'),
);
const eventNames = [
  'exception',
  'gen_ai.evaluation.result',
  'gen_ai.user.message',
  'gen_ai.choice',
  'gen_ai.client.inference.operation.details',
];

test('a span with any attributes gives a valid record', () => {
  const attributes = fc.dictionary(fc.constantFrom(...knownNames, 'metadata', '__proto__'), anything, { maxKeys: 12 });
  const event = fc.record({ name: fc.constantFrom(...eventNames), attributes: attributes.map(jsonAttributes) });
  const events = fc.array(event, { maxLength: 3 });
  fc.assert(
    fc.property(attributes, events, fc.nat(2), (values, spanEvents, code) => {
      const request = oneSpanRequest(nowMs, { attributes: jsonAttributes(values), events: spanEvents, status: { code } });
      const { batch } = readChecked(encodeRequest(request), 'protobuf', options);
      const [span] = batch.spans;
      expect(span).toBeDefined();
      if (span === undefined) return;
      for (const count of [span.inputTokens, span.outputTokens, span.cachedTokens, span.cacheWriteTokens, span.reasoningTokens]) {
        expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
      }
      expect(span.costUsd === null).toBe(span.costStatus === 'unpriced');
      expect(span.costUsd === null || (Number.isFinite(span.costUsd) && span.costUsd >= 0)).toBe(true);
      expect(span.status === 'error' ? span.errorCode !== '' : span.errorCode === '').toBe(true);
      // Of a span whose kind is inferred from its model.
      if (span.operation === '') expect([span.kind, span.model === '']).toEqual(['llm', false]);
      for (const text of [span.input, span.output, span.metadata, span.attributes, span.extra]) {
        if (text !== '') JSON.parse(text);
      }
      for (const score of batch.scores) expect(Number.isFinite(score.score)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('long attributes of a resource and of a scope are stored once, with the first of their spans', () => {
  const startTimeUnixNano = String(BigInt(options.nowMs) * 1_000_000n);
  const attributes = [{ key: 'long', value: { stringValue: 'x'.repeat(1_000_000) } }];
  const spans = Array.from({ length: 100 }, (_, index) => ({
    traceId: '1'.repeat(32),
    spanId: String(index + 1).padStart(16, '0'),
    name: 'chat',
    startTimeUnixNano,
  }));
  const scopeSpans = [
    { scope: { name: 'one', attributes }, spans: spans.slice(0, 50) },
    { scope: { name: 'two' }, spans: spans.slice(50) },
  ];
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] }));
  const extras = readChecked(body, 'json', options).batch.spans.map(({ extra }) => extra);
  expect(extras.reduce((sum, extra) => sum + extra.length, 0)).toBeLessThan(body.length + 20_000);
  const [first, second, last] = [extras[0], extras[1], extras.at(-1)].map((extra) => JSON.parse(extra ?? '') as unknown);
  const whole = { long: 'x'.repeat(1_000_000) };
  const kept = { 'spanwise.kept_by_span': '0000000000000001' };
  expect(first).toEqual({ resource: whole, scope: { name: 'one', attributes: whole } });
  expect(second).toEqual({ resource: kept, scope: kept });
  expect(last).toEqual({ resource: kept, scope: { name: 'two' } });
});
