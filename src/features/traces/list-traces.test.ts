import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowMs, nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const secondNs = 1_000_000_000n;
const dayNs = 86_400n * secondNs;

async function idsOf(project: TestProject, query: string): Promise<string[]> {
  const { status, body } = await service.request(project, `/traces?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.traces.map((trace: { traceId: string }) => trace.traceId);
}

describe('GET /v1/projects/:id/traces', () => {
  test('returns the summary of a trace, with null for fields that were left out', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        {
          spanId: 'root',
          name: 'answer',
          kind: 'agent',
          agentName: 'helper',
          sessionId: 'session',
          userId: 'user',
          environment: 'prod',
          release: 'r1',
          tags: ['a', 'b'],
          endNs: nowNs + 1_500_000n,
          input: '{"q":"why"}',
          output: '"because"',
          source: 'otlp',
        },
        {
          spanId: 'call',
          parentSpanId: 'root',
          kind: 'llm',
          model: 'gpt',
          startNs: nowNs + 1n,
          endNs: nowNs + 1_400_000n,
          status: 'error',
          errorCode: 'unknown',
          inputTokens: 10,
          outputTokens: 5,
          cachedTokens: 4,
          reasoningTokens: 2,
          costUsd: 0.25,
          costStatus: 'provided',
          source: 'otlp',
        },
        { traceId: 't2', startNs: nowNs - 1n },
      ],
    });
    const { status, body, headers } = await service.request(project, '/traces');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      traces: [
        {
          traceId: 't1',
          name: 'answer',
          startTime: '2026-11-20T10:00:00.000Z',
          endTime: '2026-11-20T10:00:00.001Z',
          durationMs: 1.5,
          status: 'error',
          sessionId: 'session',
          userId: 'user',
          environment: 'prod',
          release: 'r1',
          tags: ['a', 'b'],
          models: ['gpt'],
          agents: ['helper'],
          spanCount: 2,
          callCount: 1,
          errorCount: 1,
          error: { code: 'unknown', message: null },
          unpricedCalls: 0,
          partlyPricedCalls: 0,
          costUsd: 0.25,
          inputTokens: 10,
          outputTokens: 5,
          cachedTokens: 4,
          reasoningTokens: 2,
          inputPreview: '{"q":"why"}',
          outputPreview: '"because"',
        },
        expect.objectContaining({
          traceId: 't2',
          startTime: '2026-11-20T09:59:59.999Z',
          endTime: null,
          durationMs: null,
          status: 'ok',
          sessionId: null,
          userId: null,
          environment: null,
          release: null,
          tags: [],
          models: [],
          agents: [],
          inputPreview: null,
          outputPreview: null,
        }),
      ],
      nextCursor: null,
    });
  });

  test('models and agents are sorted by code point', async () => {
    const project = service.project();
    // As UTF-16, the emoji's first unit sorts before U+FF5E.
    const names = ['😀', '～', 'a', 'B', '～'];
    const spans = names.map((name, index) => ({
      spanId: `s${index}`,
      kind: 'llm' as const,
      model: name,
      agentName: `${name} agent`,
    }));
    await service.store(project, { spans });
    const { body } = await service.request(project, '/traces');
    const agents = ['B agent', 'a agent', '～ agent', '😀 agent'];
    expect(body.traces).toMatchObject([{ models: ['B', 'a', '～', '😀'], agents }]);
  });

  test('costs of a trace and of a session do not depend on the order of their sums', async () => {
    const project = service.project();
    const call = (cost: number, id: string, traceId: string) =>
      ({ traceId, spanId: id, sessionId: 's', kind: 'llm', startNs: nowNs, costUsd: cost, costStatus: 'provided' }) as const;
    await service.store(project, { spans: [call(0.1, 'a', 'up'), call(0.2, 'b', 'up'), call(0.3, 'c', 'up')] });
    await service.store(project, { spans: [call(0.7, 'a', 'x'), call(0.1, 'b', 'x')] });
    const { body } = await service.request(project, '/traces');
    expect(body.traces.map((trace: { costUsd: number }) => trace.costUsd).toSorted()).toEqual([0.6, 0.8]);
    expect(await idsOf(project, 'minCost=0.8')).toEqual(['x']);
    const { body: listed } = await service.request(project, '/sessions');
    expect(listed.sessions).toMatchObject([{ costUsd: 1.4 }]);
  });

  test('filters by exact membership, figures and times', async () => {
    const project = service.project();
    const call = { kind: 'llm' as const, endNs: nowNs + 5n * 1_000_000n, costUsd: 0.5, costStatus: 'provided' as const };
    await service.store(project, {
      spans: [
        { traceId: 'x', ...call, model: "m'1", agentName: 'a%', sessionId: 's', userId: 'u', environment: 'e', tags: ['t_'] },
        { traceId: 'y', startNs: nowNs - secondNs, status: 'error', errorCode: 'unknown', tags: ['tt'], agentName: 'ab' },
      ],
    });
    expect(await idsOf(project, `model=${encodeURIComponent("m'1")}`)).toEqual(['x']);
    expect(await idsOf(project, 'model=m')).toEqual([]);
    expect(await idsOf(project, 'agent=a%25')).toEqual(['x']);
    expect(await idsOf(project, 'session=s&user=u&environment=e&tag=t_&status=ok')).toEqual(['x']);
    expect(await idsOf(project, 'session=S')).toEqual([]);
    expect(await idsOf(project, 'status=error')).toEqual(['y']);
    expect(await idsOf(project, 'minLatency=5')).toEqual(['x']);
    expect(await idsOf(project, 'minLatency=5.01')).toEqual([]);
    expect(await idsOf(project, 'minCost=0.5')).toEqual(['x']);
    expect(await idsOf(project, 'minCost=0.51')).toEqual([]);
    expect(await idsOf(project, 'model=&q=&user=')).toEqual(['x', 'y']);
    expect(await idsOf(project, 'sort=startTime')).toEqual(['y', 'x']);
    expect(await idsOf(project, 'sort=-latency')).toEqual(['x', 'y']);
    expect(await idsOf(project, 'sort=latency')).toEqual(['x', 'y']);
    expect(await idsOf(project, 'sort=cost')).toEqual(['y', 'x']);
  });

  test('filters by a score of the trace or of a span, in its latest version', async () => {
    const project = service.project();
    await service.store(project, {
      spans: ['own', 'span', 'none'].map((traceId, index) => ({ traceId, startNs: nowNs - BigInt(index) })),
      scores: [
        { traceId: 'own', scoreId: '1', evaluator: 'tone', score: 0.25, passed: false },
        { traceId: 'own', scoreId: '2', evaluator: 'length', score: 0.9, passed: true },
        { traceId: 'span', scoreId: '3', spanId: 'a', evaluator: 'tone', score: 0.75, passed: null },
      ],
    });
    expect(await idsOf(project, 'evaluator=tone')).toEqual(['own', 'span']);
    expect(await idsOf(project, 'evaluator=tone&maxScore=0.25')).toEqual(['own']);
    expect(await idsOf(project, 'evaluator=tone&minScore=0.26&maxScore=0.75')).toEqual(['span']);
    expect(await idsOf(project, 'minScore=0.8')).toEqual(['own']);
    // Integers that JavaScript numbers do not represent exactly.
    for (const none of ['minScore=1e16', 'minLatency=9007199254740993', 'minCost=1e308'])
      expect(await idsOf(project, none)).toEqual([]);
    expect(await idsOf(project, 'maxScore=1e300')).toEqual(['own', 'span']);
    // One score must match all conditions.
    expect(await idsOf(project, 'evaluator=tone&minScore=0.8')).toEqual([]);
    expect(await idsOf(project, 'passed=true')).toEqual(['own']);
    expect(await idsOf(project, 'evaluator=tone&passed=true')).toEqual([]);
    expect(await idsOf(project, 'passed=false')).toEqual(['own']);
    expect(await idsOf(project, 'unscoredBy=tone')).toEqual(['none']);
    expect(await idsOf(project, 'unscoredBy=length')).toEqual(['span', 'none']);
    expect(await idsOf(project, 'evaluator=&minScore=&maxScore=&promptName=&unscoredBy=')).toEqual(['own', 'span', 'none']);
    await service.store(project, {
      scores: [
        { traceId: 'own', scoreId: '1', evaluator: 'tone', score: 0.5, passed: true },
        { traceId: 'none', scoreId: '3', evaluator: 'tone', score: 0.1 },
      ],
    });
    expect(await idsOf(project, 'evaluator=tone&maxScore=0.5')).toEqual(['own', 'none']);
    expect(await idsOf(project, 'passed=false')).toEqual([]);
    expect(await idsOf(project, 'unscoredBy=tone')).toEqual(['span']);
    expect(await idsOf(service.project(), 'evaluator=tone')).toEqual([]);
  });

  test('filters by the prompt that one of its spans carries, together with a search', async () => {
    const project = service.project();
    const leaf = { spanId: 'leaf', parentSpanId: 'a' };
    await service.store(project, {
      spans: [
        { traceId: 'x' },
        { traceId: 'x', ...leaf, promptName: 'welcome', promptVersion: '2', input: '"needle"' },
        { traceId: 'y', startNs: nowNs - secondNs },
        { traceId: 'y', ...leaf, startNs: nowNs - secondNs, promptName: 'welcome', promptVersion: '3' },
        { traceId: 'z', startNs: nowNs - 2n * secondNs, promptName: 'other', promptVersion: '2', input: '"needle"' },
      ],
    });
    expect(await idsOf(project, 'promptName=welcome')).toEqual(['x', 'y']);
    expect(await idsOf(project, 'promptName=welcome&promptVersion=2')).toEqual(['x']);
    expect(await idsOf(project, 'promptVersion=2')).toEqual(['x', 'z']);
    expect(await idsOf(project, 'promptName=Welcome')).toEqual([]);
    expect(await idsOf(project, 'promptName=welcome&q=NEEDLE')).toEqual(['x']);
    expect(await idsOf(project, 'promptName=welcome&promptVersion=3&q=needle')).toEqual([]);
  });

  test('a range is whole UTC days up to today, and one day ahead; from and to are inclusive', async () => {
    const project = service.project();
    const firstDay = BigInt(Date.UTC(2026, 10, 14)) * 1_000_000n;
    await service.store(project, {
      spans: [
        { traceId: 'ahead', startNs: nowNs + dayNs },
        { traceId: 'edge', startNs: firstDay },
        { traceId: 'before', startNs: firstDay - 1n },
        { traceId: 'fine', startNs: nowNs - 12_345_678n },
        { traceId: 'old', startNs: nowNs - 40n * dayNs },
      ],
    });
    expect(await idsOf(project, 'range=7d')).toEqual(['ahead', 'fine', 'edge']);
    expect(await idsOf(project, '')).toEqual(['ahead', 'fine', 'edge', 'before']);
    expect(await idsOf(project, 'range=90d')).toEqual(['ahead', 'fine', 'edge', 'before', 'old']);
    const fine = '2026-11-20T09:59:59.987Z';
    expect(await idsOf(project, `from=${fine}&to=${fine}`)).toEqual(['fine']);
    expect(await idsOf(project, `from=2026-11-20T11:59:59.987%2B02:00&to=${fine}`)).toEqual(['fine']);
    expect(await idsOf(project, 'to=2026-11-13T23:59:59.999Z')).toEqual(['before', 'old']);
    expect(await idsOf(project, 'from=2026-11-20T10:00:00Z')).toEqual(['ahead']);
    expect(await idsOf(project, 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).toHaveLength(5);
  });

  test('excludes traces older than the retention edge at once', async () => {
    const project = service.project('free');
    const edge = nowNs - 14n * dayNs;
    await service.store(project, {
      spans: [
        { traceId: 'kept', startNs: edge },
        { traceId: 'gone', startNs: edge - 1n },
      ],
    });
    expect(await idsOf(project, 'range=30d')).toEqual(['kept']);
    service.clock.advance(1);
    expect(await idsOf(project, 'range=30d')).toEqual([]);
    service.clock.set(nowMs);
  });

  test.each([
    'range=1w',
    'range=7d&from=2026-11-20T10:00:00Z',
    'range=7d&to=2026-11-20T10:00:00Z',
    'from=2026-11-20T10:00:00Z&to=2026-11-20T09:00:00Z',
    'from=yesterday',
    'limit=0',
    'limit=201',
    'limit=1.5',
    'status=maybe',
    'sort=name',
    'minLatency=-1',
    'minCost=much',
    'status=ok&status=error',
    'minScore=much',
    'minScore=0x10',
    'minCost=%201',
    'limit=0x10',
    'minScore=1&maxScore=0.9',
    'maxScore=Infinity',
    'passed=maybe',
    'evaluator=a&evaluator=b',
    'cursor=garbage',
    `cursor=${Buffer.from('["a","b"]').toString('base64url')}`,
    `cursor=${Buffer.from('null').toString('base64url')}`,
    `q=${'x'.repeat(1001)}`,
  ])('400 for %s', async (query) => {
    const { status, body } = await service.request(service.project(), `/traces?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', error: expect.any(String), details: [expect.any(Object)] });
  });

  test('a cursor is valid only for the list that returned it', async () => {
    const project = service.project();
    await service.store(project, { spans: [{ traceId: 'a' }, { traceId: 'b' }, { traceId: 'c' }] });
    const first = await service.request(project, '/traces?limit=1');
    const cursor = first.body.nextCursor as string;
    expect(await idsOf(project, `limit=2&cursor=${cursor}`)).toEqual(['b', 'a']);
    for (const other of ['user=x', 'sort=startTime', 'range=7d', 'q=x', 'evaluator=x', 'minScore=0', 'promptName=x']) {
      expect((await service.request(project, `/traces?${other}&cursor=${cursor}`)).status).toBe(400);
    }
    const forged = (value: string) => {
      const [name] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
      return Buffer.from(JSON.stringify([name, value, 'a'])).toString('base64url');
    };
    for (const value of ['', 'x', '1.5', '99999999999999999999', "1' OR 1"]) {
      expect((await service.request(project, `/traces?cursor=${forged(value)}`)).status).toBe(400);
    }
    expect((await service.request(service.project(), `/traces?cursor=${cursor}`)).status).toBe(400);
  });

  test('401, 403 and 404 come before 400', async () => {
    const [project, other] = [service.project(), service.project()];
    expect((await service.request(project, '/traces?limit=0', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/traces?limit=0', { caller: other })).status).toBe(404);
    expect((await service.request(project, '/traces?limit=0', { caller: other, by: 'owner' })).status).toBe(403);
    expect((await service.request(project, '/traces', { by: 'viewer' })).status).toBe(200);
  });

  test('excludes traces of other projects', async () => {
    const [project, other] = [service.project(), service.project()];
    await service.store(project, { spans: [{ input: '"needle"', sessionId: 's' }] });
    await service.store(other, { spans: [{ input: '"straw"', sessionId: 's' }] });
    expect(await idsOf(other, 'q=needle')).toEqual([]);
    expect(await idsOf(other, 'session=s')).toEqual(['t1']);
    expect((await service.request(other, '/traces')).text).not.toContain('needle');
  });
});

describe('search', () => {
  test('finds a text in names, inputs, outputs and errors of any span, literally and in either case', async () => {
    const project = service.project();
    const hostile = `it's 100% "quoted" \\ back\tslash_\n{q:String} ; DROP É 😀 \u0000 [a-z]* .*`;
    await service.store(project, {
      spans: [
        { traceId: 'name', name: 'Fetch Weather' },
        { traceId: 'input', input: JSON.stringify({ text: hostile }) },
        { traceId: 'output', spanId: 'root' },
        { traceId: 'output', spanId: 'leaf', parentSpanId: 'root', output: '"the ANSWER"' },
        { traceId: 'code', status: 'error', errorCode: 'RateLimitError' },
        { traceId: 'message', status: 'error', errorCode: 'unknown', errorMessage: 'quota "exceeded" \\o/' },
        { traceId: 'record', spanId: '', input: '"from the trace event"' },
        { traceId: 'none', metadata: '{"x":"weather"}', attributes: '{"x":"weather"}' },
      ],
    });
    const search = (q: string) => idsOf(project, `q=${encodeURIComponent(q)}`);
    expect(await search('weather')).toEqual(['name']);
    expect(await search('answer')).toEqual(['output']);
    expect(await search('ratelimit')).toEqual(['code']);
    expect(await search('quota "EXC')).toEqual(['message']);
    expect(await search('\\o/')).toEqual(['message']);
    expect(await search('THE TRACE EVENT')).toEqual(['record']);
    expect(await search(hostile)).toEqual(['input']);
    for (const part of [
      '100%',
      '"quoted"',
      "it's",
      '\\ back\tslash_\n',
      'é 😀',
      '\u0000',
      '[a-z]* .*',
      '{q:String} ; DROP',
      '{"text":',
    ]) {
      expect(await search(part), part).toEqual(['input']);
    }
    for (const pattern of ['100_', 'w%r', 'w.*r', '^Fetch', '\\d', '%%']) expect(await search(pattern), pattern).toEqual([]);
    expect(await search('e')).toHaveLength(6);
  });

  test('searches the latest version of a span, and no deleted spans', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        { traceId: 'a', input: '"first"' },
        { traceId: 'b', input: '"first"' },
      ],
    });
    await service.store(project, { spans: [{ traceId: 'a', input: '"second"' }] });
    expect(await idsOf(project, 'q=first')).toEqual(['b']);
    expect(await idsOf(project, 'q=second')).toEqual(['a']);
    expect((await service.request(project, '/traces/b', { method: 'DELETE', by: 'admin' })).status).toBe(204);
    expect(await idsOf(project, 'q=first')).toEqual([]);
  });
});
