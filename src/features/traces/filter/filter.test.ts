import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { parseFilter } from '../../../contract/filter/parse.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { traceMeets } from './filter.oracle.ts';
import type { OracleTrace } from './filter.oracle.ts';

const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;

/** Traces of a root, a call and a tool in combinations of few values. Session, user, environment and tags are on the root alone. */
const traces: OracleTrace[] = Array.from({ length: 60 }, (_, index) => {
  const traceId = `trace-${index}`;
  const startNs = BigInt(nowMs - index * 3_600_000) * 1_000_000n;
  const span = (fields: Partial<SpanRecord>): SpanRecord => ({ ...emptySpan, traceId, ...fields });
  const hasFailed = index % 3 === 0;
  const root = span({
    spanId: `${traceId}-root`,
    name: pick(['answer', 'Answer', 'plan "b"'], index),
    kind: 'agent',
    agentName: pick(['support', 'research'], index >> 1),
    startNs,
    endNs: startNs + BigInt(1 + (index % 7)) * 1_000_000_000n,
    environment: pick(['prod', 'staging', ''], index >> 1),
    sessionId: pick(['', 's1', 's2'], index),
    userId: pick(['', 'ada', 'bo'], index >> 2),
    release: pick(['', 'r1'], index),
    tags: pick([[], ['a'], ['a', 'b']], index >> 1),
    metadata: JSON.stringify(
      pick<object>(
        [
          {},
          { tier: 3 },
          { tier: '3', 'a.b': { c: 'x' } },
          { tier: [1, 'gold'], deep: { n: 2.5 } },
          { tier: null },
          { tier: { n: 1 } },
        ],
        index,
      ),
    ),
    input: JSON.stringify(pick(['Refund please', 'a "quoted" line\nand another', 'Straße'], index)),
    attributes: JSON.stringify({ 'gen_ai.request.top_p': pick([0.5, 1], index), 'genkit:name': pick(['x', 'y'], index >> 1) }),
  });
  const call = span({
    spanId: `${traceId}-call`,
    parentSpanId: root.spanId,
    name: 'chat',
    kind: 'llm',
    model: pick(['m1', 'm2', 'm1-mini'], index),
    provider: pick(['openai', 'anthropic'], index),
    operation: 'chat',
    startNs: startNs + 1n,
    endNs: startNs + 1n + BigInt(index % 5) * 500_000_000n,
    inputTokens: index * 10,
    outputTokens: index % 4 === 0 ? null : index,
    costUsd: index % 5 === 0 ? null : index / 100,
    costStatus: index % 5 === 0 ? 'unpriced' : 'priced',
    timeToFirstTokenMs: index % 2 === 0 ? null : index,
    promptName: pick(['', 'greeting'], index),
    promptVersion: pick(['', '3'], index),
    output: JSON.stringify(pick(['Done', 'I cannot do that'], index)),
  });
  const tool = span({
    spanId: `${traceId}-tool`,
    parentSpanId: root.spanId,
    name: pick(['search', 'lookup order'], index),
    kind: 'tool',
    toolName: pick(['', 'orders'], index >> 1),
    startNs: startNs + 2n,
    endNs: startNs + 3n,
    ...(hasFailed
      ? { status: 'error' as const, errorCode: pick(['timeout', '500'], index), errorMessage: 'It took too long.' }
      : {}),
  });
  const score = (fields: Partial<ScoreRecord>): ScoreRecord => ({ ...emptyScore, traceId, timestampMs: nowMs, ...fields });
  const scores = [
    ...(index % 4 === 1
      ? [score({ scoreId: `${traceId}-t`, evaluator: 'My Metric', score: index / 60, passed: index % 8 === 1 })]
      : []),
    ...(index % 4 === 2
      ? [
          score({
            scoreId: `${traceId}-s`,
            spanId: call.spanId,
            evaluator: 'tone',
            score: 1,
            label: pick(['kind', 'rude'], index >> 2),
          }),
        ]
      : []),
  ];
  return { traceId, spans: [root, call, tool], scores };
});

/** Terms of every type, alone and with several values. */
const spanTerms = [
  'name:answer',
  'name:(answer OR chat)',
  'name:*an*',
  'name:"plan \\"b\\""',
  'status:error',
  'status:ok',
  'errorCode:timeout',
  'errorCode:*',
  'error:TOO',
  'model:m1',
  'model:m1*',
  'model:*mini',
  'provider:openai',
  'agent:support',
  'operation:chat',
  'kind:(llm OR tool)',
  'tool:orders',
  'tool:lookup*',
  'prompt:greeting',
  'promptVersion:>2',
  'environment:prod',
  'environment:*',
  'release:r1',
  'session:(s1 OR s2)',
  'user:ada',
  'user:*',
  'tag:b',
  'tag:*',
  'latency:>2s',
  'latency:500ms..1500ms',
  'latency:1s',
  'ttft:>20',
  'ttft:*',
  'cost:>0.2',
  'cost:0.07',
  'unpriced:true',
  'unpriced:false',
  'tokens:>=300',
  'inputTokens:<100',
  'input:refund',
  'input:"\\"quoted\\" line"',
  'output:CANNOT',
  'started:>-10h',
  'started:<2026-11-19',
  'source:native',
  'metadata.tier:3',
  'metadata.tier:>2',
  'metadata.tier:1..3',
  'metadata.tier:*',
  'metadata.tier:gold',
  'metadata."a.b".c:x',
  'metadata.deep.n:2.5',
  'attribute.gen_ai.request.top_p:>0.7',
  'attribute."genkit:name":x',
  'score."My Metric":>0.5',
  'passed."My Metric":true',
  'label.tone:rude',
  'label.tone:r*',
  'scored:tone',
  'scored:*',
  'trace.latency:>3s',
  'trace.status:error',
  'trace.spans:3',
  'trace:trace-7',
  'span:*-call',
  'refund',
  '"too long"',
  'quoted',
  'none(status:error)',
  'any(tool:search)',
];
const traceTerms = [
  ...spanTerms,
  'spans:3',
  'calls:>1',
  'errors:>0',
  'any(tool:search status:error)',
  'none(latency:<1s kind:llm)',
  'any(-user:ada cost:>0.3)',
  'any(user:ada kind:tool)',
];

const joinedTerms = (terms: readonly string[]) =>
  fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...terms),
      fc
        .tuple(tie('filter'), fc.constantFrom(' ', ' AND ', ' OR '), tie('filter'))
        .map(([left, joint, right]) => `(${left}${joint}${right})`),
      tie('filter').map((inner) => `NOT ${inner}`),
    ),
  })).filter;

let service: TracesService;
let project: TestProject;

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, { spans: traces.flatMap(({ spans }) => spans), scores: traces.flatMap(({ scores }) => scores) });
});
afterAll(() => service.close());

const request = (path: string, parameters: Record<string, string>) =>
  service.request(project, `/${path}?${new URLSearchParams(parameters)}`);

async function idsOf(filter: string): Promise<string[]> {
  const { status, body } = await request('traces', { limit: '200', filter });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.traces.map(({ traceId }: { traceId: string }) => traceId);
}

const expected = (filter: string) =>
  traces.filter((trace) => traceMeets(trace, parseFilter(filter, { on: 'traces', nowMs }))).map(({ traceId }) => traceId);

describe('traces that meet a filter', () => {
  test.each(traceTerms)('%s', async (term) => {
    expect(await idsOf(term)).toEqual(expected(term));
  });

  test('terms of which some, all or none hold, and spans that meet several', async () => {
    const ofTraces = joinedTerms(traceTerms);
    const ofSpans = fc.tuple(fc.constantFrom('any', 'none'), joinedTerms(spanTerms)).map(([word, inner]) => `${word}(${inner})`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(ofTraces, ofSpans), async (filter) => {
        expect(await idsOf(filter)).toEqual(expected(filter));
      }),
      { numRuns: 60 },
    );
  });

  test('are counted over time, and narrowed by the other parameters', async () => {
    const filter = 'any(tool:search) cost:>0.1';
    const { body } = await request('trace-counts', { filter, environment: 'prod' });
    const both = expected(`${filter} environment:prod`);
    expect(both.length).toBeGreaterThan(0);
    expect(body.buckets.reduce((sum: number, { traces: count }: { traces: number }) => sum + count, 0)).toBe(both.length);
  });

  test('are found in any order and on every page', async () => {
    const filter = 'any(tool:search)';
    const found: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { body } = await request('traces', {
        limit: '7',
        sort: '-cost',
        filter,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...body.traces.map(({ traceId }: { traceId: string }) => traceId));
      cursor = body.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(found.toSorted()).toEqual(expected(filter).toSorted());
  });

  test('lead to their sessions', async () => {
    const filter = 'any(tool:search) user:ada';
    const { body } = await request('sessions', { filter });
    const matching = new Set(
      expected(filter).map((id) => traces.find(({ traceId }) => traceId === id)?.spans[0]?.sessionId ?? ''),
    );
    matching.delete('');
    expect(body.sessions.map(({ sessionId }: { sessionId: string }) => sessionId).toSorted()).toEqual([...matching].toSorted());
  });
});

test.each(['traces', 'trace-counts', 'sessions'])('%s: a filter that cannot be read is refused, with the place', async (path) => {
  const { status, body } = await request(path, { filter: 'name:a latncy:>2s' });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'invalid_filter',
    details: [{ path: '/filter', start: 7, end: 13, suggestion: 'latency' }],
  });
});

describe('completions', () => {
  const suggested = async (marked: string, on = 'traces') => {
    const cursor = marked.indexOf('|');
    const text = marked.replace('|', '');
    const { status, body } = await service.request(project, '/filter-suggestions', {
      method: 'POST',
      body: { on, text, cursor },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items.map(
      ({ insert, start, end }: { insert: string; start: number; end: number }) => text.slice(0, start) + insert + text.slice(end),
    );
  };

  test.each<[string, string[]]>([
    ['lat|', ['latency:', 'trace.latency:']],
    ['name:x -errorC|', ['name:x -errorCode:']],
    ['any(too|)', ['any(tool:)']],
    ['status:|', ['status:ok', 'status:error']],
    ['status:e| name:x', ['status:error name:x']],
    ['unpriced:|', ['unpriced:true', 'unpriced:false']],
    ['latency:|', ['latency:>', 'latency:>=', 'latency:<', 'latency:<=']],
    ['model:mini|', ['model:m1-mini']],
    ['model:|', ['model:m1', 'model:m1-mini', 'model:m2']],
    ['model:(m1 OR m2|)', ['model:(m1 OR m2)']],
    ['name:pl|', ['name:"plan \\"b\\""']],
    ['errorCode:|', ['errorCode:500', 'errorCode:timeout']],
    ['tool:ord|', ['tool:orders', 'tool:"lookup order"']],
    ['score.|', ['score."My Metric":', 'score.tone:']],
    ['label.tone:|', ['label.tone:kind', 'label.tone:rude']],
    ['metadata.t|', ['metadata.tier:']],
    ['metadata.a|', ['metadata."a.b":']],
    ['metadata.deep.|', ['metadata.deep.n:']],
    ['metadata.deep.x|', []],
    ['attribute.genkit|', ['attribute."genkit:name":']],
    ['nothing:|', []],
    ['model:"m1|" name:x', ['model:m1 name:x', 'model:m1-mini name:x']],
  ])('%s', async (marked, expectedTexts) => {
    expect(await suggested(marked)).toEqual(expectedTexts);
  });

  test('inside of any() they are fields of spans', async () => {
    expect(await suggested('spans|')).toContain('spans:');
    expect(await suggested('any(spans|')).toEqual(['any(trace.spans:']);
    expect(await suggested('spans|', 'spans')).toEqual(['trace.spans:']);
  });
});

test('the fields of each list have a type, operators and, of closed sets, values', async () => {
  const { body } = await request('filter-fields', { on: 'traces' });
  expect(body.fields).toContainEqual({
    name: 'status',
    type: 'text',
    operators: [':', ':*'],
    description: expect.any(String),
    values: ['ok', 'error'],
  });
  expect(body.fields).toContainEqual(expect.objectContaining({ name: 'metadata.', type: 'key' }));
  const names = async (on: string) =>
    (await request('filter-fields', { on })).body.fields.map(({ name }: { name: string }) => name);
  expect(await names('traces')).toContain('spans');
  expect(await names('spans')).not.toContain('spans');
  expect(await names('spans')).toContain('trace.spans');
});
