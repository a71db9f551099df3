import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxSpans } from './span-headers.ts';
import { nowMs, nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const otlp = { source: 'otlp' as const };

describe('GET /v1/projects/:id/traces/:traceId', () => {
  test('returns every field of a native span, its payloads exactly as stored', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        {
          traceId: 'T.1:a',
          spanId: 'S_1',
          parentSpanId: 'elsewhere',
          name: 'chat',
          kind: 'llm',
          startNs: nowNs + 1_999_999n,
          endNs: nowNs + 4_500_000n,
          status: 'error',
          errorCode: 'unknown',
          errorMessage: 'it "broke"',
          model: 'gpt/4.1',
          provider: 'openai',
          agentName: 'helper',
          operation: 'chat',
          sessionId: 's',
          userId: 'u',
          environment: 'e',
          release: 'r',
          tags: ['b', 'a'],
          promptName: 'greeting',
          promptVersion: '3',
          inputTokens: 10,
          cachedTokens: 0,
          costUsd: 0.1,
          costStatus: 'provided',
          timeToFirstTokenMs: 0.5,
          input: '{"big": 12345678901234567890, "n": 1.0}',
          output: '[null,"\\ud800","</script>"]',
          metadata: '{"k":1}',
          attributes: '{"a.b":[1]}',
        },
      ],
      scores: [
        {
          traceId: 'T.1:a',
          scoreId: 'sc2',
          score: 0.5,
          timestampMs: nowMs + 1,
          passed: false,
          label: 'l',
          comment: 'c',
          model: 'm',
        },
        { traceId: 'T.1:a', scoreId: 'sc1', spanId: 'S_1', passed: true },
        { traceId: 'other', scoreId: 'sc3' },
      ],
    });
    const { status, body, text, headers } = await service.request(project, '/traces/T.1%3Aa');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text).toContain('{"big": 12345678901234567890, "n": 1.0}');
    expect(Object.keys(body)).toEqual(['trace', 'spans', 'scores', 'outcomes']);
    expect(body.spans).toEqual([
      {
        traceId: 'T.1:a',
        spanId: 'S_1',
        parentSpanId: 'elsewhere',
        depth: 0,
        name: 'chat',
        kind: 'llm',
        startTime: '2026-11-20T10:00:00.001Z',
        endTime: '2026-11-20T10:00:00.004Z',
        durationMs: 2.500001,
        model: 'gpt/4.1',
        requestModel: null,
        provider: 'openai',
        agentName: 'helper',
        operation: 'chat',
        usage: { inputTokens: 10, cachedTokens: 0 },
        costUsd: 0.1,
        costStatus: 'provided',
        timeToFirstTokenMs: 0.5,
        status: 'error',
        errorCode: 'unknown',
        errorMessage: 'it "broke"',
        sessionId: 's',
        userId: 'u',
        environment: 'e',
        release: 'r',
        service: null,
        tags: ['b', 'a'],
        promptName: 'greeting',
        promptVersion: '3',
        source: 'native',
        contentFrom: null,
        input: { big: Number('12345678901234567890'), n: 1 },
        output: [null, '\ud800', '</script>'],
        metadata: { k: 1 },
        attributes: { 'a.b': [1] },
      },
    ]);
    const score = { traceId: 'T.1:a', sessionId: null, evaluator: 'helpful', source: 'native' };
    expect(body.scores).toEqual([
      {
        ...score,
        scoreId: 'sc1',
        spanId: 'S_1',
        score: 1,
        passed: true,
        label: null,
        comment: null,
        model: null,
        timestamp: '2026-11-20T10:00:00.000Z',
      },
      {
        ...score,
        scoreId: 'sc2',
        spanId: null,
        score: 0.5,
        passed: false,
        label: 'l',
        comment: 'c',
        model: 'm',
        timestamp: '2026-11-20T10:00:00.001Z',
      },
    ]);
    expect(body.outcomes).toEqual([]);
    expect(body.trace).toMatchObject({
      traceId: 'T.1:a',
      name: 'chat',
      status: 'error',
      errorCount: 1,
      input: { n: 1 },
      metadata: { k: 1 },
    });
  });

  test('returns attributes that repeat input and output as they were sent, though they are stored once', async () => {
    const project = service.project();
    const input = JSON.stringify([{ role: 'user', content: 'Why "so" much? '.repeat(40) }]);
    const output = JSON.stringify('Because. '.repeat(60));
    const attributes = `{"first":${JSON.stringify(input)},"n":1,"second":${output},"third":${input}}`;
    await service.store(project, { spans: [{ ...otlp, input, output, attributes }] });
    const { text } = await service.request(project, '/traces/t1');
    expect(text).toContain(`"attributes":${attributes}`);
    const stored = await service.clickhouse
      .forTenant({ projectId: project.projectId, oldestMs: null })
      .query<{ bytes: number }>('SELECT length(attributes) AS bytes FROM spans');
    expect(stored[0]?.bytes).toBeLessThan(100);
  });

  test('returns null for fields that an event left out', async () => {
    const project = service.project();
    await service.store(project, { spans: [{}] });
    const { body } = await service.request(project, '/traces/t1');
    const { spans, trace } = body;
    const filled = Object.entries(spans[0]).filter(([, value]) => value !== null);
    expect(Object.fromEntries(filled)).toEqual({
      traceId: 't1',
      spanId: 'a',
      depth: 0,
      name: 'span',
      kind: 'span',
      startTime: '2026-11-20T10:00:00.000Z',
      costStatus: 'unpriced',
      tags: [],
      source: 'native',
    });
    expect(trace).toMatchObject({ endTime: null, durationMs: null, status: 'ok', input: null, output: null, metadata: null });
  });

  test("takes the trace's fields from its own record, else from the root", async () => {
    const project = service.project();
    const spans = [
      { spanId: 'leaf', parentSpanId: 'root', startNs: nowNs - 5n, input: '"leaf"' },
      { spanId: 'root', startNs: nowNs, endNs: nowNs + 1_000_000n, name: 'root', input: '"asked"', output: '"said"' },
    ];
    await service.store(project, { spans });
    const before = (await service.request(project, '/traces/t1')).body;
    expect(before.trace).toMatchObject({ name: 'root', input: 'asked', output: 'said', metadata: null });
    const record = {
      spanId: '',
      name: 'named',
      output: '"final"',
      metadata: '{"m":1}',
      startNs: nowNs + 7_000_000n,
      tags: ['x'],
    };
    await service.store(project, { spans: [record] });
    const { body } = await service.request(project, '/traces/t1');
    expect(body.trace).toMatchObject({
      name: 'named',
      input: 'asked',
      output: 'final',
      metadata: { m: 1 },
      tags: ['x'],
      timestamp: '2026-11-20T10:00:00.007Z',
      startTime: '2026-11-20T09:59:59.999Z',
      spanCount: 2,
    });
    expect(body.spans.map((span: { spanId: string }) => span.spanId)).toEqual(['root', 'leaf']);
    await service.store(project, { spans: [{ ...record, traceId: 'alone' }] });
    const alone = (await service.request(project, '/traces/alone')).body;
    expect(alone.trace).toMatchObject({ name: 'named', output: 'final', spanCount: 0 });
    expect(alone.spans).toEqual([]);
  });

  test('derives the agent of spans from ancestors, and the operation of OTLP spans from the kind', async () => {
    const project = service.project();
    const extra = JSON.stringify({
      resource: { 'service.name': 'shop' },
      scope: { name: 'sdk', version: '1' },
      events: [{ name: 'e', timeUnixNano: '1795168800000000001', attributes: { x: 1 } }],
      links: [{ traceId: 'l', spanId: 'm' }],
      traceState: 'a=b',
    });
    await service.store(project, {
      spans: [
        { ...otlp, spanId: 'agent', kind: 'agent', agentName: 'planner', extra, service: 'shop' },
        { ...otlp, spanId: 'chain', kind: 'chain', parentSpanId: 'agent', startNs: nowNs + 1n },
        {
          ...otlp,
          spanId: 'call',
          kind: 'llm',
          parentSpanId: 'chain',
          operation: 'chat',
          startNs: nowNs + 2n,
          requestModel: 'm-latest',
        },
        { spanId: 'native', kind: 'tool', parentSpanId: 'agent', startNs: nowNs + 3n },
      ],
    });
    const { body } = await service.request(project, '/traces/t1');
    const placed = body.spans.map(({ spanId, depth, agentName, operation }: Record<string, unknown>) => [
      spanId,
      depth,
      agentName,
      operation,
    ]);
    expect(placed).toEqual([
      ['agent', 0, 'planner', 'agent'],
      ['chain', 1, 'planner', 'chain'],
      ['call', 2, 'planner', 'chat'],
      ['native', 1, 'planner', null],
    ]);
    expect(body.spans[0]).toMatchObject({
      service: 'shop',
      resourceAttributes: { 'service.name': 'shop' },
      scope: { name: 'sdk', version: '1' },
      events: [{ name: 'e', timeUnixNano: '1795168800000000001', attributes: { x: 1 } }],
      links: [{ traceId: 'l', spanId: 'm' }],
      traceState: 'a=b',
    });
    expect(body.spans[2].requestModel).toBe('m-latest');
    expect(body.spans[3]).not.toHaveProperty('events');
  });

  test('returns every span of a cycle or without its parent', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        { spanId: 'a', parentSpanId: 'b' },
        { spanId: 'b', parentSpanId: 'a' },
        { spanId: 'self', parentSpanId: 'self' },
        { spanId: 'orphan', parentSpanId: 'gone' },
      ],
    });
    const { body } = await service.request(project, '/traces/t1');
    expect(body.spans.map((span: { spanId: string }) => span.spanId).toSorted()).toEqual(['a', 'b', 'orphan', 'self']);
  });

  test('returns the latest version of a span', async () => {
    const project = service.project();
    await service.store(project, { spans: [{ name: 'running' }] });
    await service.store(project, { spans: [{ name: 'done', endNs: nowNs + 1n }] });
    const { body } = await service.request(project, '/traces/t1');
    expect(body.spans).toMatchObject([{ name: 'done', durationMs: 0.000001 }]);
  });

  test('401, 403 and 404', async () => {
    const [project, other] = [service.project(), service.project('free')];
    await service.store(project, { spans: [{}] });
    await service.store(other, { spans: [{ traceId: 'old', startNs: nowNs - 15n * 86_400_000_000_000n }] });
    expect((await service.request(project, '/traces/t1', { by: 'viewer' })).status).toBe(200);
    expect((await service.request(project, '/traces/t1', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/traces/t1', { by: 'owner', caller: other })).status).toBe(403);
    for (const answer of [
      await service.request(project, '/traces/t1', { caller: other }),
      await service.request(other, '/traces/t1'),
      await service.request(other, '/traces/old'),
      await service.request(project, '/traces/T1'),
      await service.request(project, `/traces/${encodeURIComponent("x' OR '1'='1/\\")}`),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'not_found', error: expect.any(String) });
    }
  });

  test('streams a trace of more than 20,000 spans, and reports that it is truncated', { timeout: 60_000 }, async () => {
    const project = service.project();
    await service.clickhouse.command(
      `INSERT INTO spans (project_id, trace_id, span_id, version, parent_span_id, name, kind, start_time, source, input)
       SELECT {project:UUID}, 't1', concat('s', toString(number)), 1, if(number = 0, '', concat('s', toString(number - 1))), 'n', 'span',
         fromUnixTimestamp64Nano({start:Int64} + number), 'native', concat('"', repeat('x', if(number < 2000, 5000, 10)), '"')
       FROM numbers(20010)`,
      { project: project.projectId, start: String(nowNs) },
    );
    await service.clickhouse.command(
      `INSERT INTO traces (project_id, trace_id, version, start_time) SELECT {project:UUID}, 't1', 1, fromUnixTimestamp64Nano({start:Int64})`,
      { project: project.projectId, start: String(nowNs) },
    );
    const { status, body } = await service.request(project, '/traces/t1');
    expect(status).toBe(200);
    expect(body.truncated).toBe(true);
    expect(body.spans).toHaveLength(maxSpans);
    expect(body.spans.at(-1)).toMatchObject({ spanId: 's19999', depth: 19_999, input: 'xxxxxxxxxx' });
    expect(body.spans[1999].input).toHaveLength(5000);
  });
});

describe('DELETE /v1/projects/:id/traces/:traceId', () => {
  test('204, and no read returns the trace', async () => {
    const project = service.project();
    await service.store(project, { spans: [{ sessionId: 's' }, { traceId: 't2', sessionId: 's' }], scores: [{}] });
    const { status, text } = await service.request(project, '/traces/t1', { method: 'DELETE', by: 'admin' });
    expect([status, text]).toEqual([204, '']);
    expect((await service.request(project, '/traces/t1')).status).toBe(404);
    expect((await service.request(project, '/traces')).body.traces).toMatchObject([{ traceId: 't2' }]);
    expect((await service.request(project, '/sessions/s')).body.traces).toMatchObject([{ traceId: 't2' }]);
    expect((await service.request(project, '/traces/t1', { method: 'DELETE', by: 'admin' })).status).toBe(404);
  });

  test('403 for a key, without credentials, for a viewer and for another organization; 404 for an unknown trace', async () => {
    const [project, other] = [service.project(), service.project()];
    await service.store(project, { spans: [{}] });
    const attempt = async (options: Parameters<TracesService['request']>[2]) =>
      (await service.request(project, '/traces/t1', { method: 'DELETE', ...options })).status;
    expect(await attempt({})).toBe(403);
    expect(await attempt({ by: 'nobody' })).toBe(403);
    expect(await attempt({ by: 'viewer' })).toBe(403);
    expect(await attempt({ by: 'member' })).toBe(403);
    expect(await attempt({ by: 'owner', caller: other })).toBe(403);
    expect((await service.request(other, '/traces/t1', { method: 'DELETE', by: 'owner' })).status).toBe(404);
    expect((await service.request(project, '/traces/t1')).status).toBe(200);
  });
});
