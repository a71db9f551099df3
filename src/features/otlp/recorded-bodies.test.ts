import { expect, test } from 'vitest';
import type { SpanRecord } from '../records/index.ts';
import { expectedBodies, readRecorded, recordedBody, type ExpectedSpan } from './recorded-bodies.fixture.ts';
import { decodeOtlpJson } from './wire/decode-json.ts';
import { decodeOtlpProtobuf } from './wire/decode-protobuf.ts';

const bodies = Object.entries(expectedBodies);

/** A record with the field names of expected.json. */
function toExpected(span: SpanRecord): ExpectedSpan {
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: orNull(span.parentSpanId),
    name: span.name,
    scope: span.scopeName,
    kind: span.kind,
    operation: span.operation,
    provider: orNull(span.provider),
    model_requested: orNull(span.requestModel),
    model: orNull(span.model),
    agent_name: orNull(span.agentName),
    input_tokens: span.inputTokens,
    output_tokens: span.outputTokens,
    cache_read_tokens: span.cachedTokens,
    cache_write_tokens: span.cacheWriteTokens,
    reasoning_tokens: span.reasoningTokens,
    client_cost: span.costStatus === 'provided' ? span.costUsd : null,
    // expected.json has tenths of milliseconds.
    ttft_ms: span.timeToFirstTokenMs === null ? null : Math.round(span.timeToFirstTokenMs * 10) / 10,
    session_id: orNull(span.sessionId),
    user_id: orNull(span.userId),
    tags: span.tags.length === 0 ? null : [...span.tags],
    prompt_name: orNull(span.promptName),
    prompt_version: orNull(span.promptVersion),
    is_error: span.status === 'error',
    error_code: orNull(span.errorCode),
    environment: orNull(span.environment),
    has_input: span.input !== '',
    has_output: span.output !== '',
  };
}

/** A status in the message of a failure stands before the name of its class. */
const codes: Readonly<Record<string, string>> = { '2c64642ffde32d1b': '429' };

/** A span of expected.json with the differences that test/fixtures/otlp/README.md lists. */
function withServiceNames(expected: ExpectedSpan & { model_responded?: unknown }): ExpectedSpan {
  const { model_responded: _responded, ...rest } = expected;
  return {
    ...rest,
    name: expected.name === 'ai.toolCall' ? 'weather' : expected.name,
    kind: expected.kind === 'prompt' ? 'chain' : expected.kind,
    operation: expected.operation ?? expected.kind,
    error_code: codes[expected.spanId] ?? (expected.error_code === 'error' ? 'unknown' : expected.error_code),
    // Vectors are the output of an embedding.
    has_output: expected.has_output || (expected.kind === 'embedding' && expected.scope.startsWith('@arizeai')),
  };
}

test.each(bodies)('%s gives the spans of expected.json', (file, expected) => {
  const { batch } = readRecorded(file);
  expect(batch.spans.slice(0, expected.spans.length).map(toExpected)).toEqual(expected.spans.map(withServiceNames));
});

function sum(spans: readonly SpanRecord[], of: (span: SpanRecord) => number | null): number {
  return spans.reduce((total, span) => total + (of(span) ?? 0), 0);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}

test.each(bodies)('the sums over %s are those of its summary', (file, expected) => {
  const { batch } = readRecorded(file);
  const accepted = Math.min(expected.summary.spans, 512);
  // One body has more than 512 spans, all alike; its summary counts all of them.
  const scale = (figure: number): number => (figure / expected.summary.spans) * accepted;
  const calls = batch.spans.filter((span) => span.kind === 'llm');
  expect(batch.spans).toHaveLength(accepted);
  expect(new Set(batch.spans.map((span) => span.traceId)).size).toBe(scale(expected.summary.traces));
  const { llm, kinds } = expected.summary;
  for (const [kind, count] of Object.entries(kinds)) {
    expect(batch.spans.filter((span) => span.kind === kind)).toHaveLength(scale(count));
  }
  const figures = {
    calls: calls.length,
    errors: calls.filter((span) => span.status === 'error').length,
    input_tokens: sum(calls, (span) => span.inputTokens),
    output_tokens: sum(calls, (span) => span.outputTokens),
    cache_read: sum(calls, (span) => span.cachedTokens),
    cache_write: sum(calls, (span) => span.cacheWriteTokens),
    reasoning: sum(calls, (span) => span.reasoningTokens),
  };
  for (const [name, figure] of Object.entries(figures)) expect([name, figure]).toEqual([name, scale(Number(llm[name]))]);
  const withTtft = calls.filter((span) => span.timeToFirstTokenMs !== null).length;
  expect(Math.abs(withTtft - scale(Number(llm['with_ttft'])))).toBeLessThan(1);
  expect(distinct(calls.map((span) => span.model)).toSorted()).toEqual([...(llm['models'] as string[])].toSorted());
  expect(distinct(calls.map((span) => span.errorCode)).toSorted()).toEqual(
    distinct(expected.spans.map((span) => codes[span.spanId] ?? span.error_code ?? ''))
      .toSorted()
      .map((code) => (code === 'error' ? 'unknown' : code)),
  );
  expect(distinct(batch.spans.map((span) => span.sessionId)).toSorted()).toEqual(expected.summary.sessions.toSorted());
  expect(distinct(batch.spans.map((span) => span.agentName)).toSorted()).toEqual(expected.summary.agents.toSorted());
});

test('the four recordings of one program give the same spans except for ids and times', () => {
  const [first, ...others] = bodies
    .filter(([file]) => file.startsWith('sdk-multiagent'))
    .map(([file]) => withoutIdsAndTimes(file));
  expect(others).toHaveLength(3);
  for (const other of others) expect(other).toEqual(first);
});

function withoutIdsAndTimes(file: string): unknown[] {
  const { batch } = readRecorded(file);
  const anonymous = (text: string): string => text.replaceAll(/\b[0-9a-f]{16,32}\b|\d{16,}|chatcmpl-\d+/g, '*');
  return [...batch.spans, ...batch.scores].map((record) =>
    Object.fromEntries(
      Object.entries(record)
        .filter(([name]) => !['scoreId', 'timestampMs'].includes(name))
        .map(([name, value]) => [name, typeof value === 'bigint' ? '*' : typeof value === 'string' ? anonymous(value) : value]),
    ),
  );
}

test.each(bodies)('every attribute of %s is stored as it was sent', (file) => {
  const { body, encoding } = recordedBody(file);
  const traces = encoding === 'json' ? decodeOtlpJson(body) : decodeOtlpProtobuf(body);
  const spans = traces.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
  for (const [index, record] of readRecorded(file).batch.spans.entries()) {
    const attributes = spans[index]?.attributes ?? [];
    expect(JSON.parse(record.attributes || '{}')).toEqual(
      Object.fromEntries(attributes.map(({ key, value }) => [key.name, value])),
    );
  }
});

test('input, output, metadata and extra are JSON', () => {
  for (const [file] of bodies) {
    for (const span of readRecorded(file).batch.spans) {
      for (const text of [span.input, span.output, span.metadata, span.extra]) {
        if (text !== '') expect(() => JSON.parse(text) as unknown).not.toThrow();
      }
    }
  }
});

test('an evaluation event gives a score of its span', () => {
  const { batch } = readRecorded('sdk-multiagent-proto.01.bin');
  expect(batch.scores).toHaveLength(3);
  const [score] = batch.scores;
  const span = batch.spans.find((candidate) => candidate.spanId === score?.spanId);
  expect(score).toMatchObject({
    scoreId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    traceId: span?.traceId,
    evaluator: 'relevance',
    score: 0.82,
    passed: true,
    label: 'pass',
    comment: 'On topic.',
    sessionId: '',
    model: '',
    source: 'otlp',
  });
  expect(JSON.parse(score?.metadata ?? '')).toHaveProperty(['gen_ai.response.id']);
  expect(readRecorded('sdk-multiagent-proto.01.bin').batch.scores).toEqual(batch.scores);
});
