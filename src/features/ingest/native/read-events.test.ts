import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../../contract/errors.ts';
import { iso, nowMs, options, read, refusalOf, scoreOf, span, score, spanOf, trace } from './events.fixture.ts';
import { readEvents } from './read-events.ts';

test('a span with all fields', () => {
  const record = spanOf({
    ...span,
    traceId: 'Trace.1_a:b-c',
    parentSpanId: 'p',
    kind: 'llm',
    startTime: '2026-11-20T11:00:00.123456789+01:00',
    endTime: '2026-11-20T10:00:01Z',
    model: 'acme/gpt-4o',
    provider: 'acme',
    agentName: 'planner',
    operation: 'chat',
    input: [{ role: 'user', content: 'hi' }],
    output: 'hello',
    usage: {
      inputTokens: 10,
      outputTokens: 5,
      cachedTokens: 3,
      cacheWriteTokens: 2,
      reasoningTokens: 1,
      details: { inputAudio: 4 },
    },
    costUsd: 0.25,
    timeToFirstTokenMs: 12.5,
    status: 'error',
    errorCode: 'rate_limit',
    errorMessage: 'slow down',
    sessionId: 'session',
    userId: 'user',
    environment: 'production',
    release: '1.2.3',
    tags: ['a', 'b', 'a'],
    promptName: 'greeting',
    promptVersion: 3,
    metadata: { tier: 1 },
    attributes: { 'http.status': 200 },
  });
  expect(record).toEqual({
    traceId: 'Trace.1_a:b-c',
    spanId: 's1',
    parentSpanId: 'p',
    name: 'chat',
    kind: 'llm',
    startNs: BigInt(nowMs) * 1_000_000n + 123_456_789n,
    endNs: BigInt(nowMs + 1000) * 1_000_000n,
    status: 'error',
    errorCode: 'rate_limit',
    errorMessage: 'slow down',
    model: 'acme/gpt-4o',
    requestModel: '',
    provider: 'acme',
    agentName: 'planner',
    operation: 'chat',
    sessionId: 'session',
    userId: 'user',
    environment: 'production',
    release: '1.2.3',
    service: '',
    promptName: 'greeting',
    promptVersion: '3',
    promptVersionType: 'number',
    responseId: '',
    traceName: '',
    toolName: '',
    tags: ['a', 'b', 'a'],
    inputTokens: 10,
    outputTokens: 5,
    cachedTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 1,
    usageDetails: '{"inputAudio":4}',
    costUsd: 0.25,
    costStatus: 'provided',
    timeToFirstTokenMs: 12.5,
    source: 'native',
    origin: 'application',
    scopeName: '',
    input: '[{"role":"user","content":"hi"}]',
    output: '"hello"',
    metadata: '{"tier":1}',
    attributes: '{"http.status":200}',
    extra: '',
  });
});

test('a client marks spans of evaluations, and no other source', () => {
  const originOf = (source: unknown) => spanOf({ ...span, attributes: { 'spanwise.source': source } }).origin;
  expect(['evaluation', 'simulation', 'playground', 'Evaluation', null].map(originOf)).toEqual([
    'evaluation',
    ...Array.from({ length: 4 }, () => 'application'),
  ]);
});

test('absent fields of a span stay empty', () => {
  const empty = spanOf(span);
  expect(empty).toMatchObject({
    kind: 'span',
    parentSpanId: '',
    endNs: null,
    status: '',
    errorCode: '',
    model: '',
    agentName: '',
    operation: '',
    inputTokens: null,
    costUsd: null,
    costStatus: 'unpriced',
    timeToFirstTokenMs: null,
    tags: [],
    input: '',
    metadata: '',
    attributes: '',
  });
  const optional = [
    'parentSpanId',
    'kind',
    'endTime',
    'model',
    'usage',
    'costUsd',
    'status',
    'tags',
    'promptVersion',
    'promptVariables',
    'metadata',
    'input',
  ];
  expect(spanOf({ ...span, ...Object.fromEntries(optional.map((field) => [field, null])) })).toEqual(empty);
});

test('the variables of a prompt are kept beside the attributes', () => {
  const { attributes } = spanOf({ ...span, promptVariables: { name: 'Ada' }, attributes: { a: 1 } });
  expect(JSON.parse(attributes)).toEqual({ a: 1, 'spanwise.prompt.variables': { name: 'Ada' } });
});

test.each([
  ['resp-1', 'resp-1'],
  [4711, '4711'],
  [{ id: 1 }, ''],
  [null, ''],
])('the attribute gen_ai.response.id %j names the response %j', (id, responseId) => {
  expect(spanOf({ ...span, attributes: { 'gen_ai.response.id': id } }).responseId).toBe(responseId);
});

test.each([
  ['tool', 'search'],
  ['chain', ''],
] as const)('the attribute gen_ai.tool.name names the tool of a span of kind %s as %j', (kind, toolName) => {
  expect(spanOf({ ...span, kind, attributes: { 'gen_ai.tool.name': 'search' } }).toolName).toBe(toolName);
});

test('the attribute service.name names the service', () => {
  expect(spanOf({ ...span, attributes: { 'service.name': 'shop' } }).service).toBe('shop');
});

test('an error without a code has the code unknown; a code alone does not set the status', () => {
  expect(spanOf({ ...span, status: 'error' })).toMatchObject({ status: 'error', errorCode: 'unknown' });
  expect(spanOf({ ...span, status: 'error', errorCode: '' })).toMatchObject({ errorCode: 'unknown' });
  expect(spanOf({ ...span, errorCode: 'timeout' })).toMatchObject({ status: '', errorCode: 'timeout' });
});

test('the given cost is used, else that of the price table', () => {
  const call = { ...span, kind: 'llm', model: 'gpt-4o', provider: 'openai', usage: { inputTokens: 1_000_000, outputTokens: 0 } };
  const priced = spanOf(call);
  expect(priced.costStatus).toBe('priced');
  expect(priced.costUsd).toBeGreaterThan(0);
  expect(spanOf({ ...call, costUsd: 0 })).toMatchObject({ costUsd: 0, costStatus: 'provided' });
  expect(spanOf({ ...call, model: 'nobody-knows-it' })).toMatchObject({ costUsd: null, costStatus: 'unpriced' });
});

test('a trace event is a record without a span id, at its timestamp or its arrival', () => {
  const full = {
    ...trace,
    name: 'checkout',
    sessionId: 's',
    userId: 'u',
    environment: 'e',
    release: 'r',
    tags: ['t'],
    input: 1,
    output: [],
    metadata: {},
  };
  expect(spanOf({ ...full, timestamp: iso(nowMs - 1000) })).toMatchObject({
    traceId: 't1',
    spanId: '',
    name: 'checkout',
    startNs: BigInt(nowMs - 1000) * 1_000_000n,
    endNs: null,
    sessionId: 's',
    userId: 'u',
    environment: 'e',
    release: 'r',
    tags: ['t'],
    input: '1',
    output: '[]',
    metadata: '{}',
  });
  expect(spanOf(trace)).toMatchObject({ name: '', startNs: BigInt(nowMs) * 1_000_000n });
});

describe('a score', () => {
  test('with all fields', () => {
    const full = {
      scoreId: 'my:score',
      spanId: 's1',
      passed: false,
      label: 'bad',
      comment: 'no',
      model: 'gpt-4o',
      timestamp: iso(nowMs - 5),
    };
    expect(scoreOf({ ...score, ...full })).toEqual({
      scoreId: 'my:score',
      traceId: 't1',
      spanId: 's1',
      sessionId: '',
      evaluator: 'helpful',
      score: 0.5,
      passed: false,
      label: 'bad',
      comment: 'no',
      model: 'gpt-4o',
      timestampMs: nowMs - 5,
      source: 'native',
      metadata: '',
      scaleMin: 0,
      scaleMax: 1,
      isQuality: true,
    });
  });

  test.each([
    [true, 1],
    [false, 0],
    [-3.5, -3.5],
    [0, 0],
  ])('of %o counts as %o', (given, stored) => {
    expect(scoreOf({ ...score, score: given })).toMatchObject({ score: stored, timestampMs: nowMs, passed: null });
  });

  test('of a session', () => {
    const { traceId: _traceId, ...rest } = score;
    expect(scoreOf({ ...rest, sessionId: 'session 1' })).toMatchObject({ sessionId: 'session 1', traceId: '', spanId: '' });
  });

  test.each([
    ['nothing', { traceId: undefined }],
    ['a span without its trace', { traceId: undefined, spanId: 's1' }],
    ['a span of a session', { traceId: undefined, spanId: 's1', sessionId: 's' }],
    ['a trace and a session', { sessionId: 's' }],
  ])('is not about %s', (_, more) => {
    expect(refusalOf({ ...score, ...more })).toMatch(/send/);
  });

  test('without an id gets a UUIDv7 from its body, its line and the first arrival of the body', () => {
    const idsOf = (more: object) =>
      read(`${JSON.stringify(score)}\n\n${JSON.stringify(score)}`, { firstSeenMs: nowMs - 60_000, ...more }).batch.scores.map(
        ({ scoreId }) => scoreId,
      );
    const ids = idsOf({});
    expect(idsOf({ nowMs: nowMs + 1000 })).toEqual(ids);
    expect(new Set([...ids, ...idsOf({ bodyKey: 'other' }), ...idsOf({ firstSeenMs: nowMs })]).size).toBe(6);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(nowMs - 60_000);
    }
  });
});

describe('hostile lines', () => {
  test('a cost that is not finite', () => {
    expect(read(JSON.stringify({ ...span, costUsd: 1 }).replace(':1}', ':1e400}')).rejected).toMatchObject([
      { error: expect.stringMatching(/^costUsd must be/) },
    ]);
  });

  test('duplicate keys: the last one is used', () => {
    expect(read(`${JSON.stringify(span).slice(0, -1)},"name":"second"}`).batch.spans[0]?.name).toBe('second');
  });

  test('__proto__ is an unknown field, and kept where fields are free', () => {
    expect(read(`${JSON.stringify(span).slice(0, -1)},"__proto__":{"name":"x"}}`).rejected).toHaveLength(1);
    const { batch } = read(`${JSON.stringify(span).slice(0, -1)},"metadata":{"__proto__":{"a":1},"constructor":2}}`);
    expect(batch.spans[0]?.metadata).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test('nesting: 100 levels are accepted; a million are rejected', () => {
    const nested = (levels: number) => `${JSON.stringify(span).slice(0, -1)},"input":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(read(nested(99)).accepted).toBe(1);
    expect(read(nested(100)).rejected).toMatchObject([{ error: expect.stringContaining('levels deep') }]);
    expect(read(nested(1_000_000)).rejected).toMatchObject([{ error: expect.stringContaining('levels deep') }]);
    expect(read('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)).rejected).toHaveLength(1);
    expect(read('['.repeat(1_000_000)).rejected).toMatchObject([{ error: expect.stringContaining('not valid JSON') }]);
  });

  test('lone surrogates, NUL and bytes that are not UTF-8', () => {
    const { batch } = read(`${JSON.stringify({ ...span, name: 'a\u0000b', input: '\ud800' })}`);
    expect(batch.spans[0]).toMatchObject({ name: 'a\u0000b', input: '"\\ud800"' });
    const line = Buffer.from(JSON.stringify({ ...span, name: 'ab~' }));
    line[line.indexOf('~')] = 0xff;
    expect(readEvents(line, options).batch.spans[0]?.name).toBe('ab\ufffd');
  });

  test('a byte order mark, and CRLF line ends', () => {
    expect(read(`\ufeff${JSON.stringify(span)}\r\n${JSON.stringify(trace)}\r\n`).accepted).toBe(2);
  });

  test('many unknown fields with long names give a short sentence', () => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}${'x'.repeat(1000)}`, 1]));
    expect(refusalOf({ ...span, ...fields }).length).toBeLessThan(1000);
  });
});

test('too many JSON values are rejected before they are parsed', () => {
  const line = (count: number) => JSON.stringify({ ...span, input: 'x' }).replace('"x"', `[${'1,'.repeat(count)}1]`);
  expect(() => read(line(2_000_000))).toThrow(/more than 2,000,000 JSON values/);
  expect(read(line(1_900_000)).accepted).toBe(1);
});

test('numbers in payloads stay as they were sent', () => {
  const payload = '{"id":1234567890123456789,"price":0.10000000000000000555,"big":1e400,"text":"1234567890123456789"}';
  const line = `${JSON.stringify({ ...span, usage: { inputTokens: 7 } }).slice(0, -1)},"input":${payload},"metadata":${payload}}`;
  const [record] = read(line).batch.spans;
  expect(record?.input).toBe(payload);
  expect(record?.metadata).toBe(payload);
  expect(record?.inputTokens).toBe(7);
});

test('lines: 100 are accepted, 101 and none are rejected', () => {
  const lines = (count: number) => Array.from({ length: count }, () => JSON.stringify(trace)).join('\n\n');
  expect(read(lines(100)).accepted).toBe(100);
  const codeOf = (text: string) => {
    try {
      read(text);
      return 'none';
    } catch (error) {
      return (error as ServiceError).code;
    }
  };
  expect(codeOf(lines(101))).toBe('payload_too_large');
  expect(codeOf('nonsense\n'.repeat(101))).toBe('payload_too_large');
  expect(codeOf('')).toBe('invalid_request');
  expect(codeOf(' \r\n\t\n')).toBe('invalid_request');
});
