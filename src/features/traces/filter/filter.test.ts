import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { parseFilter } from '../../../contract/filter/parse.ts';
import { nowMs } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { filterTraces as traces, longOutput, openFilledService } from './filter-data.fixture.ts';
import type { FilledService } from './filter-data.fixture.ts';
import { spanMeets, traceMeets } from './filter.oracle.ts';
import type { OracleTrace } from './filter.oracle.ts';
import { spansMeeting, tracesMeeting } from './meeting.ts';

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
  'attribute.said:*',
  'attribute.said:A*',
  'attribute.said:(*long* OR 1)',
  `attribute.said:${longOutput}`,
  'score."My Metric":>0.5',
  'passed."My Metric":true',
  'label.tone:rude',
  'label.tone:r*',
  'scored:tone',
  'scored:*',
  'commented:true',
  'commented:false',
  'commented:*',
  'commented:(true OR false)',
  'trace.latency:>3s',
  'trace.status:error',
  'trace.spans:3',
  'trace.depth:>2',
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
  'depth:3',
  'depth:<3',
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
let request: FilledService['request'];

beforeAll(async () => {
  ({ service, project, request } = await openFilledService());
});
afterAll(() => service.close());

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

describe('filters of spans', () => {
  const spanIds = (filter: string) =>
    traces.flatMap((trace) =>
      trace.spans
        .filter((span) => spanMeets(trace, span, parseFilter(filter, { on: 'spans', nowMs })))
        .map(({ spanId }) => spanId),
    );
  const listed = async (parameters: Record<string, string>) => {
    const { status, body } = await request('spans', { limit: '200', ...parameters });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.spans;
  };
  const idsIn = (spans: Array<{ spanId: string }>) => spans.map(({ spanId }) => spanId);

  test.each(spanTerms)('%s', async (filter) => {
    expect(idsIn(await listed({ filter })).toSorted()).toEqual(spanIds(filter).toSorted());
  });

  test('are met by the spans for which some, all or none hold, and are counted', async () => {
    await fc.assert(
      fc.asyncProperty(joinedTerms(spanTerms), async (filter) => {
        const expectedIds = spanIds(filter);
        const spans = await listed({ filter });
        expect(idsIn(spans).toSorted()).toEqual(expectedIds.toSorted());
        const { body } = await request('span-counts', { filter });
        const calls = spans.filter(({ isCall }: { isCall: boolean }) => isCall);
        const ofStatus = (status: string) =>
          calls.filter(({ costStatus }: { costStatus: string }) => costStatus === status).length;
        expect(body).toMatchObject({
          count: expectedIds.length,
          calls: calls.length,
          unpricedCalls: ofStatus('unpriced'),
          partlyPricedCalls: ofStatus('partly_priced'),
        });
        expect(body.costUsd).toBeCloseTo(
          calls.reduce((sum: number, { costUsd }: { costUsd: number | null }) => sum + (costUsd ?? 0), 0),
          9,
        );
        expect(body.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(expectedIds.length);
      }),
      { numRuns: 40 },
    );
  });

  test.each(['-startTime', 'startTime', '-latency', 'cost', '-tokens', 'ttft', '-score.tone'])(
    'every page in the order of %s has its spans once',
    async (sort) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const { body } = await request('spans', {
          limit: '17',
          sort,
          filter: 'kind:(llm OR tool)',
          ...(cursor ? { cursor } : {}),
        });
        found.push(...idsIn(body.spans));
        cursor = body.nextCursor ?? undefined;
        if (cursor === undefined) break;
      }
      expect(found.toSorted()).toEqual(spanIds('kind:(llm OR tool)').toSorted());
      const whole = idsIn(await listed({ sort, filter: 'kind:(llm OR tool)' }));
      expect(found).toEqual(whole);
    },
  );

  test('spans without the figure are last in either direction', async () => {
    for (const sort of ['cost', '-cost']) {
      const costs = (await listed({ sort })).map(({ costUsd }: { costUsd: number | null }) => costUsd);
      const known = costs.filter((cost: number | null) => cost !== null);
      expect(costs.slice(0, known.length)).toEqual(known.toSorted((a: number, b: number) => (sort === 'cost' ? a - b : b - a)));
    }
  });

  test('a span has the fields of its trace where it has none, its scores, and its trace', async () => {
    const trace = traces.find(({ scores: [score], spans: [root] }) => score?.spanId && root?.userId && root.tags.length > 0);
    const [root, call] = trace?.spans ?? [];
    const [span] = await listed({ filter: `span:${call?.spanId}` });
    expect(span).toMatchObject({
      traceId: trace?.traceId,
      userId: root?.userId,
      tags: root?.tags,
      environment: root?.environment || null,
      agentName: root?.agentName,
      isCall: true,
      scores: [{ evaluator: 'tone', score: 1, passed: null, label: trace?.scores[0]?.label }],
      trace: { name: root?.name, userId: root?.userId },
    });
  });

  test('roots alone', async () => {
    expect(idsIn(await listed({ roots: 'true' })).toSorted()).toEqual(traces.map(({ spans: [root] }) => root?.spanId).toSorted());
  });

  test('more than a page, and another sort, are refused', async () => {
    expect((await request('spans', { limit: '201' })).status).toBe(400);
    expect((await request('spans', { sort: 'name' })).status).toBe(400);
  });
});

describe('among some traces', () => {
  const subset = fc.subarray([...traces], { minLength: 1 });
  const amongSql = (some: readonly OracleTrace[]) => ({
    text: 'SELECT arrayJoin({some:Array(String)})',
    parameters: { some: some.map(({ traceId }) => traceId) },
  });
  const read = <T>({ text, parameters }: { text: string; parameters: Record<string, unknown> }) =>
    service.clickhouse.forTenant({ projectId: project.projectId, oldestMs: null }).query<T>(text, parameters);

  test('the spans that meet a filter are found', async () => {
    await fc.assert(
      fc.asyncProperty(subset, joinedTerms(spanTerms), async (some, written) => {
        const filter = parseFilter(written, { on: 'spans', nowMs });
        const found = await read<{ span_id: string }>(spansMeeting(filter, amongSql(some)));
        const wanted = some.flatMap((trace) => trace.spans.filter((span) => spanMeets(trace, span, filter)));
        expect(found.map((row) => row.span_id).toSorted()).toEqual(wanted.map(({ spanId }) => spanId).toSorted());
      }),
      { numRuns: runs({ usual: 15, nightly: 300 }) },
    );
  });

  test('the traces that meet a filter are found, with their sessions', async () => {
    await fc.assert(
      fc.asyncProperty(subset, joinedTerms(traceTerms), async (some, written) => {
        const filter = parseFilter(written, { on: 'traces', nowMs });
        const found = await read<{ trace_id: string; session_id: string }>(tracesMeeting(filter, amongSql(some)));
        const wanted = some.filter((trace) => traceMeets(trace, filter));
        expect(found.map((row) => [row.trace_id, row.session_id]).toSorted()).toEqual(
          wanted.map(({ traceId, spans: [root] }) => [traceId, root?.sessionId]).toSorted(),
        );
      }),
      { numRuns: runs({ usual: 15, nightly: 300 }) },
    );
  });
});

test('the agent of a span is told by its own name where it has none, and found', async () => {
  const other = service.project();
  await service.store(other, { spans: [{ traceId: 'a', spanId: 'a', name: 'invoke_agent weather', kind: 'agent' }] });
  const { body } = await service.request(other, '/spans?filter=agent:weather');
  expect(body.spans).toMatchObject([{ spanId: 'a', agentName: 'weather', isCall: false }]);
});

test.each(['traces', 'trace-counts', 'sessions', 'spans', 'span-counts'])(
  '%s: a filter that cannot be read is refused, with the place',
  async (path) => {
    const { status, body } = await request(path, { filter: 'name:a latncy:>2s' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_filter',
      details: [{ path: '/filter', start: 7, end: 13, suggestion: 'latency' }],
    });
  },
);
