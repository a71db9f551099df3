import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { parseFilter } from '../../../contract/filter/parse.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { spanMeets, traceMeets } from './filter.oracle.ts';
import { spansMeeting, tracesMeeting } from './meeting.ts';
import type { OracleTrace } from './filter.oracle.ts';

const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;

const longOutput = JSON.stringify(`A "long" answer: ${'so it is. '.repeat(40)}`);

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
    output: longOutput,
    attributes: JSON.stringify({
      'gen_ai.request.top_p': pick([0.5, 1], index),
      'genkit:name': pick(['x', 'y'], index >> 1),
      // A copy of the output, which is stored once.
      ...pick<object>([{}, { said: JSON.parse(longOutput) as string }, { said: longOutput }, { said: [1, longOutput] }], index),
    }),
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
    parentSpanId: index % 4 === 3 ? call.spanId : root.spanId,
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
  const commented = pick([[], [''], [call.spanId], [], ['', call.spanId, call.spanId]], index);
  return { traceId, spans: [root, call, tool], scores, commented };
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

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, { spans: traces.flatMap(({ spans }) => spans), scores: traces.flatMap(({ scores }) => scores) });
  const rows = traces.flatMap(({ traceId, commented, spans: [root] }, index) => [
    ...commented.map((spanId, place) => [traceId, `comment-${place}`, spanId, 1]),
    // One that was deleted.
    ...(index % 2 === 0 ? [1, 2].map((version) => [traceId, 'gone', root?.spanId, version]) : []),
  ]);
  const column = (place: number) => rows.map((row) => row[place]);
  await service.clickhouse.command(
    `INSERT INTO comments (project_id, trace_id, comment_id, span_id, version, is_deleted, start_time)
     SELECT {project:UUID}, row.1, row.2, row.3, row.4, row.4 = 2, fromUnixTimestamp64Milli({now:Int64})
     FROM (SELECT arrayJoin(arrayZip({traces:Array(String)}, {ids:Array(String)}, {spans:Array(String)}, {versions:Array(UInt64)})) AS row)`,
    { project: project.projectId, now: nowMs, traces: column(0), ids: column(1), spans: column(2), versions: column(3) },
  );
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

describe('facets', () => {
  const facetsOf = async (on: string, fields: string[], filter = '') => {
    const query = new URLSearchParams({ on, filter });
    for (const field of fields) query.append('field', field);
    const { status, body } = await service.request(project, `/facets?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.facets;
  };
  interface Values {
    field: string;
    values: Array<{ value: string; count: number }>;
    missing: number;
    other: number;
    total: number;
  }
  const fields =
    'kind tool user tag agent session model provider status operation errorCode trace.status source unpriced scored label.tone metadata.tier commented'.split(
      ' ',
    );

  // A value counts what the filter with that value in it matches.
  test.each(['spans', 'traces'] as const)('of %s count what a filter by each value finds', async (on) => {
    const rest = 'latency:<5s';
    const countOf = async (filter: string) => {
      const { body } = await request(on === 'spans' ? 'span-counts' : 'trace-counts', { filter });
      return on === 'spans'
        ? body.count
        : body.buckets.reduce((sum: number, { traces: count }: { traces: number }) => sum + count, 0);
    };
    const facets: Values[] = [
      ...(await facetsOf(on, fields.slice(0, 12), rest)),
      ...(await facetsOf(on, fields.slice(12), rest)),
    ];
    expect(facets.map(({ field }) => field)).toEqual(fields);
    const total = await countOf(rest);
    for (const { field, values, missing, other, total: rows } of facets) {
      expect(rows, field).toBe(total);
      expect(other).toBe(0);
      expect(values.length, field).toBeGreaterThan(0);
      expect(values).toEqual(values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)));
      for (const { value, count } of values) {
        expect(count, `${field}:${value}`).toBe(await countOf(`${rest} ${field}:${JSON.stringify(value)}`));
      }
      if (field !== 'metadata.tier') expect(missing, field).toBe(await countOf(`${rest} NOT ${field}:*`));
    }
  });

  test('leave out the own terms of a field', async () => {
    const filter = 'model:m1 kind:llm -user:ada';
    const [model, kind] = await facetsOf('spans', ['model', 'kind'], filter);
    expect(model).toEqual((await facetsOf('spans', ['model'], 'kind:llm -user:ada'))[0]);
    expect(model.values.length).toBe(3);
    expect(kind).toEqual((await facetsOf('spans', ['kind'], 'model:m1 -user:ada'))[0]);
  });

  test('of numbers are 20 buckets of equal width', async () => {
    const [cost] = await facetsOf('spans', ['cost'], 'kind:llm');
    const costs = traces.flatMap(({ spans }) => spans.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd])));
    expect(cost).toMatchObject({ min: Math.min(...costs), max: Math.max(...costs), total: 60, missing: 60 - costs.length });
    expect(cost.buckets).toHaveLength(20);
    const last = cost.buckets.length - 1;
    for (const [index, { from, to, count }] of cost.buckets.entries()) {
      const within = costs.filter((value) => value >= from - 1e-12 && (index === last ? value <= to : value < to - 1e-12));
      expect(count).toBe(within.length);
    }
  });

  test('of numbers of the trace count each of its spans, as those on traces count the trace', async () => {
    const [levels] = await facetsOf('traces', ['depth'], 'user:ada');
    const [ofSpans] = await facetsOf('spans', ['trace.depth'], 'user:ada');
    const shape = ({
      min,
      max,
      total,
      buckets,
    }: {
      min: number;
      max: number;
      total: number;
      buckets: Array<{ count: number }>;
    }) => [min, max, total, ...buckets.flatMap(({ count }) => (count > 0 ? [count] : []))] as const;
    const depths = traces
      .filter(({ spans: [root] }) => root?.userId === 'ada')
      .map(({ spans: [, call, tool] }) => (tool?.parentSpanId === call?.spanId ? 3 : 2));
    const of = (depth: number) => depths.filter((one) => one === depth).length;
    expect(shape(levels)).toEqual([2, 3, depths.length, of(2), of(3)]);
    expect(shape(ofSpans)).toEqual([2, 3, 3 * depths.length, 3 * of(2), 3 * of(3)]);
  });

  test('of ids are those that match', async () => {
    const filter = 'model:m2 unpriced:true';
    const [trace, span, onTraces] = [
      ...(await facetsOf('spans', ['trace', 'span'], filter)),
      ...(await facetsOf('traces', ['trace'], filter)),
    ];
    const matching = traces.filter(({ spans: [, call] }) => call?.model === 'm2' && call.costStatus === 'unpriced');
    const counted = (ids: string[]) => ids.toSorted().map((value) => ({ value, count: 1 }));
    const traceIds = counted(matching.map(({ traceId }) => traceId));
    expect(matching.length).toBeGreaterThan(1);
    expect(trace).toEqual({ field: 'trace', values: traceIds, other: 0, missing: 0, total: traceIds.length });
    expect(span.values).toEqual(counted(matching.map(({ traceId }) => `${traceId}-call`)));
    expect(onTraces).toEqual(trace);
  });

  test.each(['spans', 'traces'] as const)('of a score on %s are 20 buckets of the scores as they stand', async (on) => {
    const [facet] = await facetsOf(on, ['score.tone'], 'score.tone:>5');
    // The own term is left out.
    expect(facet).toEqual((await facetsOf(on, ['score.tone']))[0]);
    const rows = on === 'traces' ? traces.length : traces.flatMap(({ spans }) => spans).length;
    const figures = traces.flatMap(({ scores, spans }) => {
      const told = scores.filter(({ evaluator, score }) => evaluator === 'tone' && score !== null);
      if (on === 'traces') {
        const own = told.filter(({ spanId }) => !spanId);
        return (own.length > 0 ? own : told).slice(-1).map(({ score }) => Number(score));
      }
      return spans.flatMap(({ spanId }) =>
        told
          .filter((one) => one.spanId === spanId)
          .slice(-1)
          .map(({ score }) => Number(score)),
      );
    });
    expect(figures.length).toBeGreaterThan(0);
    expect(facet).toMatchObject({
      field: 'score.tone',
      min: Math.min(...figures),
      max: Math.max(...figures),
      total: rows,
      missing: rows - figures.length,
    });
    expect(facet.buckets).toHaveLength(20);
    expect(facet.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(figures.length);
  });

  test.each([
    ['a field that is none', ['latncy']],
    ['a time', ['started']],
    ['a text that is searched within', ['input']],
    ['an amount of outcomes', ['outcome.value']],
    ['more than 12', Array.from({ length: 13 }, () => 'kind')],
    ['none', []],
  ])('%s: 400', async (_, names) => {
    const query = new URLSearchParams({ on: 'spans' });
    for (const name of names) query.append('field', name);
    expect((await service.request(project, `/facets?${query}`)).status).toBe(400);
  });
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
    ['metadata.tier:g|', ['metadata.tier:gold']],
    ['metadata.tier:(gold OR |)', ['3', '1', 'gold', '>', '>=', '<', '<='].map((one) => `metadata.tier:(gold OR ${one})`)],
    ['metadata."a.b".c:|', ['x', '>', '>=', '<', '<='].map((one) => `metadata."a.b".c:${one}`)],
    ['any(attribute."genkit:name":y|)', ['any(attribute."genkit:name":y)']],
    ['metadata.none:x|', []],
    ['nothing:|', []],
    ['model:"m1|" name:x', ['model:m1 name:x', 'model:m1-mini name:x']],
  ])('%s', async (marked, expectedTexts) => {
    expect(await suggested(marked)).toEqual(expectedTexts);
  });

  test('names are those of what is listed, and ids the newest', async () => {
    const names = ['answer', 'Answer', '"plan \\"b\\""'];
    expect((await suggested('name:|')).toSorted()).toEqual(names.map((name) => `name:${name}`).toSorted());
    const ofSpans = [...names, 'chat', 'search', '"lookup order"'].map((name) => `name:${name}`);
    expect((await suggested('name:|', 'spans')).toSorted()).toEqual(ofSpans.toSorted());
    expect(await suggested('any(name:ch|)')).toEqual(['any(name:chat)', 'any(name:search)']);
    expect(await suggested('trace.name:cha|', 'spans')).toEqual([]);
    expect(await suggested('trace:trace-17|')).toEqual(['trace:trace-17']);
    expect(await suggested('span:-call|', 'spans')).toHaveLength(20);
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
