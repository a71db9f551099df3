import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const otlp = { source: 'otlp' as const, operation: 'span' };

describe('GET /v1/projects/:id/traces/:traceId/spans/:spanId/mapping', () => {
  test('of a native span names the fields of its event, and which were not sent', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        {
          kind: 'llm',
          model: 'gpt-4o',
          provider: 'openai',
          inputTokens: 10,
          costUsd: 0.25,
          costStatus: 'priced',
          status: 'error',
          errorCode: 'unknown',
          tags: ['a'],
          input: '{"big": 12345678901234567890}',
        },
        { spanId: 'b', costUsd: 0.5, costStatus: 'provided', agentName: 'helper' },
      ],
    });
    const { status, body, text, headers } = await service.request(project, '/traces/t1/spans/a/mapping');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const sent = (field: string, value: unknown) => ({
      field,
      convention: 'native',
      attributes: [{ in: 'field', key: field }],
      value,
    });
    expect(body).toEqual({
      spanId: 'a',
      source: 'native',
      fields: [
        sent('kind', 'llm'),
        sent('model', 'gpt-4o'),
        sent('provider', 'openai'),
        sent('usage.inputTokens', 10),
        {
          field: 'costUsd',
          convention: 'priced',
          attributes: ['model', 'provider', 'usage.inputTokens'].map((key) => ({ in: 'field', key })),
          value: 0.25,
        },
        sent('status', 'error'),
        // Same for an event without a code.
        { field: 'errorCode', convention: 'unknown', attributes: [], value: 'unknown' },
        sent('tags', ['a']),
        sent('input', { big: Number('12345678901234567890') }),
      ],
    });
    expect(text).toContain('{"big": 12345678901234567890}');
    const other = (await service.request(project, '/traces/t1/spans/b/mapping')).body;
    expect(other.fields).toEqual([
      { field: 'kind', convention: 'unknown', attributes: [], value: 'span' },
      sent('agentName', 'helper'),
      sent('costUsd', 0.5),
    ]);
  });

  test('names the attribute that holds the service of a native span', async () => {
    const project = service.project();
    await service.store(project, { spans: [{ traceId: 't1', spanId: 'a', service: 'shop' }] });
    const { body } = await service.request(project, '/traces/t1/spans/a/mapping');
    expect(body.fields).toContainEqual({
      field: 'service',
      convention: 'native',
      attributes: [{ in: 'span', key: 'service.name' }],
      value: 'shop',
    });
  });

  test('names the ancestor whose agent name a span takes, and none in a cycle', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [
        { ...otlp, spanId: 'outer', kind: 'agent', agentName: 'planner', startNs: nowNs },
        { ...otlp, spanId: 'nameless', kind: 'agent', parentSpanId: 'outer' },
        { ...otlp, spanId: 'named', kind: 'tool', agentName: 'not an agent', parentSpanId: 'nameless' },
        { ...otlp, spanId: 'call', parentSpanId: 'named' },
        { spanId: 'native', parentSpanId: 'outer' },
        { ...otlp, traceId: 't2', spanId: 'x', parentSpanId: 'y' },
        { ...otlp, traceId: 't2', spanId: 'y', parentSpanId: 'x' },
      ],
    });
    const agentOf = async (trace: string, span: string) => {
      const { body } = await service.request(project, `/traces/${trace}/spans/${span}/mapping`);
      return body.fields.find(({ field }: { field: string }) => field === 'agentName');
    };
    const inherited = {
      field: 'agentName',
      convention: 'inherited',
      attributes: [{ in: 'ancestor', key: 'outer' }],
      value: 'planner',
    };
    expect(await agentOf('t1', 'call')).toEqual({
      ...inherited,
      attributes: [{ in: 'ancestor', key: 'nameless' }],
      value: 'span',
    });
    const ofItsSpan = { convention: 'derived', attributes: [{ in: 'field', key: 'name' }], value: 'span' };
    expect(await agentOf('t1', 'nameless')).toEqual({ ...inherited, ...ofItsSpan });
    // Stored without the attribute that names the agent.
    expect(await agentOf('t1', 'named')).toMatchObject({ convention: 'unknown', value: 'not an agent' });
    expect(await agentOf('t1', 'native')).toEqual(inherited);
    expect(await agentOf('t2', 'x')).toBeUndefined();
  });

  test('401, 403 and 404', async () => {
    const [project, other] = [service.project(), service.project('free')];
    await service.store(project, { spans: [{}, { spanId: '', name: 'the trace itself' }] });
    await service.store(other, { spans: [{ traceId: 'old', startNs: nowNs - 15n * 86_400_000_000_000n }] });
    const path = '/traces/t1/spans/a/mapping';
    expect((await service.request(project, path, { by: 'viewer' })).status).toBe(200);
    expect((await service.request(project, path, { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, path, { by: 'owner', caller: other })).status).toBe(403);
    for (const answer of [
      await service.request(project, path, { caller: other }),
      await service.request(other, path),
      await service.request(other, '/traces/old/spans/a/mapping'),
      await service.request(project, '/traces/t1/spans/A/mapping'),
      await service.request(project, '/traces/t1/spans//mapping'),
      await service.request(project, `/traces/t1/spans/${encodeURIComponent("x' OR '1'='1/\\")}/mapping`),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'not_found', error: expect.any(String) });
    }
  });
});
