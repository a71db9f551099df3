import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repricing } from '../../src/contract/prices.ts';
import type { MappingPreview, SpanMapping } from '../../src/contract/span-mapping.ts';
import { sealHours } from '../../src/features/figures/seal-hours.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { hourMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const at = (ms: number) => new Date(ms).toISOString();

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

const project = (path: string) => `/v1/projects/${app.projectId}${path}`;

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { cookie: app.cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${app.url}${project(path)}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const setPrice = (model: string, inputPerMillion: number, outputPerMillion: number, more: object = {}) =>
  call('PUT', `/prices/${encodeURIComponent(model)}`, { inputPerMillion, outputPerMillion, ...more });

async function reprice(more: object = {}): Promise<Repricing> {
  const { status, body } = await call('POST', '/prices/reprice', {
    from: at(startMs - 48 * hourMs),
    to: at(startMs + hourMs),
    ...more,
  });
  expect([status, body]).toEqual([202, { id: expect.any(String) as string, status: 'queued' }]);
  expect(await app.features.prices.runPending()).toBe(1);
  return (await call('GET', `/prices/reprice/${String(body['id'])}`)).body as Repricing;
}

async function seal(): Promise<void> {
  app.clock.advance(10_000);
  const { clickhouse } = app.stores;
  while ((await sealHours({ clickhouse, hourStates: app.hourStates, clock: app.clock })) > 0);
}

const span = {
  type: 'span',
  name: 'chat',
  kind: 'llm',
  provider: 'ours',
  agentName: 'planner',
  startTime: at(startMs - 30 * hourMs),
};
const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 200_000, cacheWriteTokens: 100_000 };

async function figures(model: string) {
  const { body: models } = await call('GET', '/models?range=7d');
  const summary = (models['models'] as Array<Record<string, unknown>>).find((one) => one['model'] === model);
  return { cost: summary?.['total_cost'], unpriced: summary?.['unpriced_calls'] };
}

test('a price reaches stored calls by a repricing, and every figure follows, in sealed hours too', async () => {
  await app.send([{ ...span, model: 'a/b.1', traceId: 'r1', spanId: 's1', usage }]);
  await seal();
  expect(await figures('a/b.1')).toEqual({ cost: 0, unpriced: 1 });
  expect((await setPrice('a/b.1', 2, 4, { cachedInputPerMillion: 1, cacheWritePerMillion: 3 })).status).toBe(200);
  // 700,000 x 2 + 200,000 x 1 + 100,000 x 3 + 500,000 x 4
  const cost = 3.9;
  const counted = { status: 'completed', spans: 1, changed: 1, costBefore: 0, costAfter: cost };
  expect(await reprice({ dryRun: true, models: ['a/b.1'] })).toMatchObject({ ...counted, dryRun: true });
  expect(await figures('a/b.1')).toEqual({ cost: 0, unpriced: 1 });
  expect(await reprice({ models: ['a/b.1'] })).toMatchObject({ ...counted, dryRun: false });
  expect(await figures('a/b.1')).toEqual({ cost, unpriced: 0 });
  await seal();
  expect(await figures('a/b.1')).toEqual({ cost, unpriced: 0 });
  const { trace, spans } = (await call('GET', '/traces/r1')).body as { trace: object; spans: object[] };
  expect(trace).toMatchObject({ costUsd: cost, unpricedCalls: 0 });
  expect(spans).toMatchObject([{ costUsd: cost, costStatus: 'priced', usage }]);
  const { nodes } = (await call('GET', '/graph?range=7d')).body as { nodes: Array<{ id: string; cost: number }> };
  expect(nodes.find(({ id }) => id === 'model:a/b.1')?.cost).toBe(cost);
  expect(await reprice({ models: ['a/b.1'] })).toMatchObject({ ...counted, changed: 0, costBefore: cost });
});

test('a price applies to requests from its answer on, by its start, and its removal makes calls unpriced again', async () => {
  await setPrice('dated', 10, 0, { from: at(startMs - 30 * hourMs) });
  const before = { ...span, model: 'dated', startTime: at(startMs - 31 * hourMs), usage: { inputTokens: 100_000 } };
  const after = { ...before, startTime: at(startMs - 30 * hourMs) };
  await app.send([
    { ...before, traceId: 'd1', spanId: 'before' },
    { ...after, traceId: 'd1', spanId: 'after' },
    { ...after, traceId: 'd1', spanId: 'given', costUsd: 7 },
  ]);
  expect(await figures('dated')).toEqual({ cost: 8, unpriced: 1 });
  const { body: overview } = await call('GET', '/overview?range=7d');
  expect(JSON.stringify(overview['unpriced'])).toContain('"dated"');
  expect((await call('DELETE', '/prices/dated')).status).toBe(200);
  expect(await reprice({ models: ['dated'] })).toMatchObject({ spans: 2, changed: 1, costBefore: 1, costAfter: 0 });
  expect(await figures('dated')).toEqual({ cost: 7, unpriced: 2 });
  await setPrice('dated', 10, 0);
  expect(await reprice({ models: ['dated'] })).toMatchObject({ spans: 2, changed: 2, costBefore: 0, costAfter: 2 });
  expect(await figures('dated')).toEqual({ cost: 9, unpriced: 0 });
  const { body: later } = await call('GET', '/overview?range=7d');
  expect(JSON.stringify(later['unpriced'])).not.toContain('"dated"');
});

test("a price of the requested model comes before the table's of the response model, at ingestion and in history", async () => {
  const attribute = (key: string, value: object) => ({ key, value });
  const otlpSpan = (spanId: string) => ({
    traceId: '0'.repeat(31).concat('7'),
    spanId: spanId.padStart(16, '0'),
    name: 'chat',
    startTimeUnixNano: `${startMs - hourMs}000000`,
    endTimeUnixNano: `${startMs - hourMs + 5}000000`,
    attributes: [
      attribute('gen_ai.request.model', { stringValue: 'our-alias' }),
      attribute('gen_ai.response.model', { stringValue: 'gpt-4o' }),
      attribute('gen_ai.usage.input_tokens', { intValue: '1000000' }),
      attribute('ours.note', { stringValue: 'read by nothing' }),
    ],
  });
  const headers = { 'x-api-key': app.apiKey, 'content-type': 'application/json' };
  const send = async (spanId: string, path = '/v1/traces') => {
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [otlpSpan(spanId)] }] }] });
    const answer = await fetch(`${app.url}${path}`, { method: 'POST', headers, body });
    await app.pipeline.drain();
    return (await answer.json()) as Record<string, unknown>;
  };
  await send('1');
  expect(await figures('gpt-4o')).toEqual({ cost: 2.5, unpriced: 0 });
  await setPrice('our-alias', 1, 1);
  await send('2');
  expect(await figures('gpt-4o')).toEqual({ cost: 3.5, unpriced: 0 });
  expect(await reprice({ models: ['our-alias'] })).toMatchObject({ spans: 2, changed: 1, costBefore: 3.5, costAfter: 2 });
  expect(await figures('gpt-4o')).toEqual({ cost: 2, unpriced: 0 });
  const mapping = (await call('GET', `/traces/${'0'.repeat(31)}7/spans/${'0'.repeat(15)}2/mapping`))
    .body as unknown as SpanMapping;
  const priced = mapping.fields.find(({ field }) => field === 'costUsd');
  expect(priced?.attributes.map(({ key }) => key)).toEqual(['gen_ai.request.model', 'gen_ai.usage.input_tokens']);
  const { spans } = (await send('3', project('/mapping/preview'))) as unknown as MappingPreview;
  expect(spans).toMatchObject([
    { span: { costUsd: 1, costStatus: 'priced' }, unmapped: [{ in: 'span', key: 'ours.note' }], mapping: { source: 'otlp' } },
  ]);
  expect(spans[0]?.mapping.fields.find(({ field }) => field === 'costUsd')).toEqual(priced);
  expect(await figures('gpt-4o')).toEqual({ cost: 2, unpriced: 0 });
});

test('the costs of outcomes are those of the repriced traces', async () => {
  const sent = await app.send([{ ...span, model: 'sold', traceId: 'o1', spanId: 's1', usage: { inputTokens: 3_000_000 } }]);
  expect(sent.rejected).toEqual([]);
  const report = { outcomes: [{ traceId: 'o1', kind: 'sale', success: true }] };
  const headers = { 'x-api-key': app.apiKey, 'content-type': 'application/json' };
  await fetch(`${app.url}/v1/ingest/outcomes`, { method: 'POST', headers, body: JSON.stringify(report) });
  await app.pipeline.drain();
  const costs = async () => {
    const { body } = await call('GET', '/outcomes/summary?range=7d');
    return (body['totals'] as Array<{ kind: string; cost: number }>).find(({ kind }) => kind === 'sale')?.cost;
  };
  expect(await costs()).toBe(0);
  await setPrice('sold', 0.5, 0);
  await reprice({ models: ['sold'] });
  expect(await costs()).toBe(1.5);
});

describe('a preview is refused', () => {
  const otlp = { 'content-type': 'application/json' };
  const send = (headers: Record<string, string>, body = '{}', id = app.projectId) =>
    fetch(`${app.url}/v1/projects/${id}/mapping/preview`, { method: 'POST', headers: { ...otlp, ...headers }, body });
  const key = () => ({ 'x-api-key': app.apiKey });

  test.each<[number, () => Promise<Response>]>([
    [400, () => send(key(), '')],
    [400, () => send(key(), '{"resourceSpans":')],
    [400, () => send({ ...key(), 'content-encoding': 'gzip' }, 'not gzip')],
    [401, () => send({})],
    [404, () => send(key(), '{}', '0197a000-0000-7000-8000-00000000dead')],
    [403, () => send({ cookie: app.cookie }, '{}', '0197a000-0000-7000-8000-00000000dead')],
    [413, () => send(key(), ' '.repeat(1_048_577))],
    [415, () => send({ ...key(), 'content-type': 'text/plain' })],
    [415, () => send({ ...key(), 'content-encoding': 'lzma' })],
  ])('with %i', async (status, request) => {
    const answer = await request();
    expect([answer.status, await answer.json()]).toEqual([
      status,
      expect.objectContaining({ error: expect.any(String) as string, code: expect.any(String) as string }),
    ]);
  });

  test('with 429 when a caller asks for too many, which takes no tokens of ingestion', async () => {
    const statuses = new Set<number>();
    for (let asked = 0; asked < 320; asked += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(key())));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].toSorted()).toEqual([200, 429]);
    expect((await send({ cookie: app.cookie })).status).toBe(200);
    expect(await app.send([{ ...span, model: 'last', traceId: 'l1', spanId: 's' }])).toMatchObject({ accepted: 1 });
  });
});
