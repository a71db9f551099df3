import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { sealHours } from '../figures/index.ts';

const nowMs = Date.UTC(2026, 10, 20, 10, 30);
const iso = (ms: number) => new Date(ms).toISOString();
let app: TestApp;

/** A call of `minutes` ago; every call lasts one second more than the one before. */
const call = (index: number, fields: object) => ({
  type: 'span',
  traceId: `t${index}`,
  spanId: 'a',
  name: 'chat',
  kind: 'llm',
  startTime: iso(nowMs - index * 3_600_000),
  endTime: iso(nowMs - index * 3_600_000 + (index + 1) * 1000),
  ...fields,
});

beforeAll(async () => {
  app = await startTestApp(nowMs);
  await app.send([
    call(0, { model: 'm1', costUsd: 0.1, usage: { inputTokens: 100, outputTokens: 10 }, metadata: { tenant: '=cmd' } }),
    call(1, { model: 'm1', costUsd: 0.2, usage: { inputTokens: 100, outputTokens: 10 }, userId: 'ada', tags: ['a', 'b'] }),
    call(2, {
      model: 'm2',
      costUsd: 0.4,
      usage: { inputTokens: 1, outputTokens: 1 },
      userId: 'ada',
      status: 'error',
      errorCode: 'no',
    }),
    call(30, { model: 'm3', costUsd: 0.7, usage: { inputTokens: 1, outputTokens: 1 }, tags: ['b', 'c'] }),
    call(31, { model: 'm3', usage: { inputTokens: 1, outputTokens: 1 } }),
  ]);
});
afterAll(() => app.close());

async function ask(body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/query`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text,
    body: text.startsWith('{') ? JSON.parse(text) : null,
  };
}

const cost = [{ measure: 'cost' }];

describe('a query', () => {
  test('groups by a dimension, with the rest in other', async () => {
    const { status, body } = await ask({
      on: 'calls',
      measures: [...cost, { measure: 'count' }],
      by: ['model'],
      range: '7d',
      limit: 2,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: '2026-11-14T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      interval: null,
      columns: [
        { name: 'model', type: 'text', unit: null },
        { name: 'cost', type: 'number', unit: 'usd' },
        { name: 'count', type: 'number', unit: 'count' },
      ],
      rows: [
        { model: 'm3', values: [0.7, 2], n: 2 },
        { model: 'm2', values: [0.4, 1], n: 1 },
      ],
      totals: { values: [1.4, 5], n: 5 },
      other: { values: [0.3, 2], n: 2, groups: 1 },
      truncated: true,
    });
    expect(body.ms).toEqual(expect.any(Number));
  });

  test('equals the model pages, from rows and from rollups', async () => {
    const measures = [
      { measure: 'count' },
      { measure: 'cost' },
      { measure: 'costPerCall' },
      { measure: 'costPerSuccess' },
      { measure: 'errorRate' },
      { measure: 'latency', aggregation: 'p95' },
      { measure: 'inputTokens' },
      { measure: 'traces' },
    ];
    const asked = { on: 'calls', measures, by: ['model'], range: '30d' };
    const { models } = (await app.get(`/v1/projects/${app.projectId}/models`)).body as { models: Array<Record<string, unknown>> };
    const wanted = models.map((one) => [
      one['model'],
      ...[
        'total_calls',
        'total_cost',
        'avg_cost_per_call',
        'avg_cost_per_success',
        'error_rate',
        'p95_latency',
        'total_input_tokens',
        'trace_count',
      ].map((name) => one[name]),
    ]);
    const rows = async () => {
      const { body } = await ask(asked);
      const found = body.rows.map((row: { model: string; values: unknown[] }) => [row.model, ...row.values]);
      return { source: body.source, found: found.toSorted() };
    };
    expect(await rows()).toEqual({ source: 'rows', found: wanted.toSorted() });
    app.clock.advance(10_000);
    await sealHours({ clickhouse: app.stores.clickhouse, hourStates: app.hourStates, clock: app.clock });
    expect(await rows()).toEqual({ source: 'rollups', found: wanted.toSorted() });
    await app.send([
      call(2, {
        model: 'm2',
        costUsd: 0.4,
        usage: { inputTokens: 1, outputTokens: 1 },
        userId: 'ada',
        status: 'error',
        errorCode: 'no',
      }),
    ]);
    expect(await rows()).toEqual({ source: 'both', found: wanted.toSorted() });
  });

  test('counts a record under each of its tags, and once in other', async () => {
    const { body } = await ask({ on: 'calls', measures: [{ measure: 'count' }], by: ['tag'], range: '7d', limit: 2 });
    expect(body.rows).toMatchObject([
      { tag: null, values: [3] },
      { tag: 'b', values: [2] },
    ]);
    expect(body.other).toMatchObject({ n: 2, groups: 2 });
  });

  test('has a row for each interval, also of those without records, and tells which are cut', async () => {
    const from = iso(nowMs - 3 * 3_600_000);
    const { body } = await ask({ on: 'calls', measures: cost, interval: 'hour', from, to: iso(nowMs + 3_600_000) });
    expect(
      body.rows.map((row: { time: string; partial?: true; values: number[] }) => [
        row.time.slice(11, 13),
        row.partial,
        row.values[0],
      ]),
    ).toEqual([
      ['07', true, 0],
      ['08', undefined, 0.4],
      ['09', undefined, 0.2],
      ['10', true, 0.1],
    ]);
  });

  test('compares with the range before by position', async () => {
    const day = 86_400_000;
    const to = Date.UTC(2026, 10, 21);
    const asked = { on: 'calls', measures: cost, by: ['model'], from: iso(to - day), to: iso(to), compareWith: 'previous' };
    const { body } = await ask(asked);
    expect(body.rows).toMatchObject([
      { model: 'm2', values: [0.4], previous: [0] },
      { model: 'm1', values: [expect.closeTo(0.3)], previous: [0] },
    ]);
    expect(body.totals.previous).toEqual([0.7]);
    const named = await ask({ ...asked, by: [], compareWith: { from: iso(to - 2 * day), to: iso(to - day) } });
    expect(named.body.rows).toMatchObject([{ previous: [0.7] }]);
  });

  test('has 95 % intervals of rates and means', async () => {
    const { body } = await ask({
      on: 'calls',
      measures: [{ measure: 'errorRate' }, { measure: 'latency' }, ...cost],
      range: '7d',
      filter: 'model:*',
    });
    // 1 of 5 after Wilson; 1, 2, 3, 31 and 32 s have the variance 261.7 s².
    const reach = 1.959964 * Math.sqrt(261.7e6 / 5);
    expect(body.rows[0].values.slice(0, 2)).toEqual([0.2, 13_800]);
    expect(body.rows[0].low).toEqual([expect.closeTo(0.036224, 6), expect.closeTo(13_800 - reach, 1), null]);
    expect(body.rows[0].high).toEqual([expect.closeTo(0.624465, 6), expect.closeTo(13_800 + reach, 1), null]);
  });

  test('has a histogram with bins of equal width', async () => {
    const { body } = await ask({
      on: 'calls',
      measures: [{ measure: 'latency', aggregation: 'histogram' }],
      by: ['model'],
      range: '7d',
      bins: 4,
    });
    expect(body.columns[1]).toEqual({ name: 'latency.histogram', type: 'number', unit: 'count' });
    expect(body.rows.find((row: { model: string }) => row.model === 'm1').values[0].bins).toEqual([
      { from: 1000, to: 8750, count: 2 },
      { from: 8750, to: 16_500, count: 0 },
      { from: 16_500, to: 24_250, count: 0 },
      { from: 24_250, to: 32_000, count: 0 },
    ]);
  });

  test('orders by another measure or by a dimension', async () => {
    const models = async (orderBy: object) =>
      (
        await ask({ on: 'calls', measures: [...cost, { measure: 'inputTokens' }], by: ['model'], range: '7d', orderBy })
      ).body.rows.map((row: { model: string }) => row.model);
    expect(await models({ measure: 1 })).toEqual(['m1', 'm3', 'm2']);
    expect(await models({ measure: 1, direction: 'asc' })).toEqual(['m2', 'm3', 'm1']);
    expect(await models({ measure: 'model', direction: 'desc' })).toEqual(['m3', 'm2', 'm1']);
  });

  test('of nothing has counts and sums of 0, and else nothing', async () => {
    const { body } = await ask({
      on: 'calls',
      measures: [
        ...cost,
        { measure: 'users' },
        { measure: 'errorRate' },
        { measure: 'latency', aggregation: 'p95' },
        { measure: 'latency', aggregation: 'histogram' },
      ],
      range: '7d',
      filter: 'model:none',
    });
    expect(body.totals).toEqual({ values: [0, 0, null, null, null], n: 0 });
  });

  test('is CSV where the caller accepts that, without formulas', async () => {
    const { text, type } = await ask(
      { on: 'calls', measures: cost, by: ['metadata.tenant'], range: '7d', interval: 'week' },
      { accept: 'text/csv' },
    );
    expect([type, text]).toEqual(['text/csv; charset=utf-8', expect.any(String)]);
    expect(text.split('\n').slice(0, 3)).toEqual([
      '"metadata.tenant","time","cost","n"',
      '"","2026-11-16T00:00:00.000Z","1.3","4"',
      `"'=cmd","2026-11-16T00:00:00.000Z","0.1","1"`,
    ]);
  });

  test('is also an address', async () => {
    const q = JSON.stringify({ on: 'traces', measures: [{ measure: 'count' }], range: '7d' });
    const read = (text: string) => app.get(`/v1/projects/${app.projectId}/query?q=${encodeURIComponent(text)}`);
    expect(await read(q)).toMatchObject({ status: 200, body: { totals: { values: [5] } } });
    expect(await read('{')).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  test('adds the filter of a view', async () => {
    const made = await fetch(`${app.url}/v1/projects/${app.projectId}/views`, {
      method: 'POST',
      headers: { cookie: app.cookie, 'content-type': 'application/json', origin: app.url },
      body: JSON.stringify({ name: 'ada', on: 'spans', filter: 'user:ada', visibility: 'project' }),
    });
    const { id } = (await made.json()) as { id: string };
    expect((await ask({ on: 'calls', measures: cost, range: '7d', view: id, filter: 'model:m2' })).body.totals.values).toEqual([
      0.4,
    ]);
    expect((await ask({ on: 'traces', measures: [{ measure: 'count' }], view: id })).body.details).toMatchObject([
      { path: '/view' },
    ]);
  });
});

test.each([
  ['an unknown measure', { measures: [{ measure: 'costs' }] }, '/measures/0/measure'],
  [
    'an aggregation that a measure has not',
    { measures: [{ measure: 'cost' }, { measure: 'cost', aggregation: 'avg' }] },
    '/measures/1/aggregation',
  ],
  ['an aggregation that there is not', { measures: [{ measure: 'latency', aggregation: 'p42' }] }, '/measures/0/aggregation'],
  ['no measure', { measures: [] }, '/measures'],
  ['a measure of another subject', { on: 'spans', measures: [{ measure: 'cost' }] }, '/measures/0/measure'],
  ['a dimension with a value', { by: ['model:gpt'] }, '/by/0'],
  ['a dimension without its key', { by: ['metadata.'] }, '/by/0'],
  ['a limit that is no number', { limit: 'ten' }, '/limit'],
  ['an unknown subject', { on: 'cats' }, '/on'],
  ['an unknown dimension', { by: ['modl'] }, '/by/0'],
  ['a dimension of numbers', { by: ['latency'] }, '/by/0'],
  ['a dimension twice', { by: ['model', 'model'] }, '/by/1'],
  ['four dimensions', { by: ['model', 'user', 'tag', 'name'] }, '/by'],
  ['an unknown field', { group: 'model' }, '/group'],
  ['a range with from', { range: '7d', from: iso(nowMs) }, '/range'],
  ['a from after to', { from: iso(nowMs), to: iso(nowMs - 1) }, '/from'],
  ['too many intervals', { range: '30d', interval: 'minute' }, '/interval'],
  ['too many groups and intervals', { range: '30d', interval: 'hour', by: ['model'], limit: 1000 }, '/limit'],
  ['an order by a measure that there is not', { orderBy: { measure: 1 } }, '/orderBy/measure'],
  ['an unknown view', { view: '5b3a37c8-6a59-4d3f-8f0e-0d4b2ac6f7a1' }, '/view'],
])('%s is invalid_query with its path', async (_name, fields, path) => {
  const { status, body } = await ask({ on: 'calls', measures: cost, ...fields });
  expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_query', path]);
});

test('a filter that cannot be read is told as in lists', async () => {
  const { status, body } = await ask({ on: 'calls', measures: cost, filter: 'modl:x' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_filter', details: [{ path: '/filter', start: 0, end: 4, suggestion: 'model' }] });
});

test('the fields of queries can be asked in queries', async () => {
  const { body } = await app.get(`/v1/projects/${app.projectId}/query-fields`);
  const { on } = body as {
    on: Record<string, { measures: Array<{ name: string; aggregations: string[] }>; dimensions: Array<{ name: string }> }>;
  };
  for (const [subject, { measures, dimensions }] of Object.entries(on)) {
    const asked = measures.map(({ name, aggregations }) => ({ measure: name, aggregation: aggregations.at(-1) }));
    const names = dimensions.map(({ name }) => (name.endsWith('.') ? `${name}x` : name));
    for (let at = 0; at < names.length; at += 3) {
      const by = names.slice(at, at + 3);
      const { status, text } = await ask({
        on: subject,
        measures: asked.slice(at, at + 2).concat(asked.slice(0, 1)),
        by,
        range: '7d',
      });
      expect([by, status, text]).toEqual([by, 200, text]);
    }
    for (let at = 0; at < asked.length; at += 8) {
      const { status, text } = await ask({ on: subject, measures: asked.slice(at, at + 8), range: '7d' });
      expect([status, text]).toEqual([200, text]);
    }
  }
});
