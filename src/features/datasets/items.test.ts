import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { nowMs, openDatasetsService } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';

let service: DatasetsService;
let project: TestProject;
let other: TestProject;
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
  other = await service.project('free');
});
afterAll(() => service.close());

let names = 0;
/** The path of a new dataset. */
async function dataset(): Promise<string> {
  const { body } = await service.request(project, 'POST', '/v1/datasets', { body: { name: `dataset ${++names}` } });
  return `/v1/datasets/${body.id}`;
}

const post = (path: string, body: unknown) => service.request(project, 'POST', `${path}/items`, { body });
const list = async (path: string, query = '') => (await service.request(project, 'GET', `${path}/items${query}`)).body.items;
const count = async (path: string) => (await service.request(project, 'GET', path)).body.itemCount;
const inputs = (items: Array<{ input: unknown }>) => items.map(({ input }) => input);
const expectRefused = (answer: Answer, status: number, code: string) =>
  expect(answer, answer.text).toMatchObject({ status, body: { code, error: expect.any(String) } });

describe('adding', () => {
  test('one item is returned in a list', async () => {
    const path = await dataset();
    const answer = await post(path, { input: { q: 'What?' }, expectedOutput: 'That.', metadata: { n: 1 } });
    expect(answer.status).toBe(201);
    const now = new Date(nowMs).toISOString();
    const item = {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      datasetId: path.split('/').at(-1),
      input: { q: 'What?' },
      expectedOutput: 'That.',
      metadata: { n: 1 },
      createdAt: now,
      updatedAt: now,
    };
    expect(answer.body).toEqual({ items: [item] });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const read = await service.request(project, 'GET', `${path}/items`);
    expect(read.body).toEqual({ items: [item] });
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await count(path)).toBe(1);
  });

  test('one item is read by itself', async () => {
    const path = await dataset();
    const { body } = await post(path, { input: [1], expectedOutput: null, metadata: { n: 1 } });
    const [item] = body.items;
    const answer = await service.request(project, 'GET', `${path}/items/${item.id}`);
    expect(answer).toMatchObject({ status: 200, body: item });
    expectRefused(await service.request(project, 'GET', `${await dataset()}/items/${item.id}`), 404, 'not_found');
    expectRefused(await service.request(project, 'GET', `${path}/items/none`), 404, 'not_found');
    expectRefused(await service.request(other, 'GET', `${path}/items/${item.id}`), 404, 'not_found');
  });

  test('null differs from an omitted field', async () => {
    const path = await dataset();
    await post(path, { items: [{ input: null }, { input: null, expectedOutput: null }] });
    const [without, withNull] = await list(path);
    expect(without).toMatchObject({ input: null, metadata: {} });
    expect(without).not.toHaveProperty('expectedOutput');
    expect(without).not.toHaveProperty('source');
    expect(withNull).toHaveProperty('expectedOutput', null);
  });

  test('1000 items keep their order, and 1001 are refused', async () => {
    const path = await dataset();
    const items = Array.from({ length: 1001 }, (_, input) => ({ input }));
    expectRefused(await post(path, { items }), 400, 'invalid_request');
    expect(await list(path)).toEqual([]);
    const answer = await post(path, { items: items.slice(0, 1000) });
    expect(answer.status).toBe(201);
    const expected = items.slice(0, 1000).map(({ input }) => input);
    expect(inputs(answer.body.items)).toEqual(expected);
    await post(path, { items: [{ input: 'one more' }, { input: 'and one' }] });
    const first = await list(path);
    expect(inputs(first)).toEqual(expected);
    expect(inputs(await list(path, `?after=${first.at(-1).id}`))).toEqual(['one more', 'and one']);
    const last = (await list(path, `?after=${first.at(-1).id}`)).at(-1);
    expect(await list(path, `?after=${last.id}`)).toEqual([]);
    expect(inputs(await list(path, '?limit=2'))).toEqual([0, 1]);
    for (const limit of ['0', '1001', '1.5', 'x'])
      expectRefused(await service.request(project, 'GET', `${path}/items?limit=${limit}`), 400, 'invalid_request');
    for (const after of [
      'x',
      '0197ffff-0000-7000-8000-000000000000',
      '%00',
      (await post(await dataset(), { input: 1 })).body.items[0].id,
    ]) {
      expectRefused(await service.request(project, 'GET', `${path}/items?after=${after}`), 400, 'invalid_request');
    }
  });

  test.each([
    ['no input', {}],
    ['one item without input', { items: [{ input: 1 }, {}] }],
    ['no items', { items: [] }],
    ['items and an item', { items: [{ input: 1 }], input: 2 }],
    ['an unknown field', { items: [{ input: 1 }, { input: 1, output: 2 }] }],
    ['metadata that is no object', { items: [{ input: 1 }, { input: 1, metadata: 'x' }] }],
    ['metadata that is null', { input: 1, metadata: null }],
    ['a source without a trace', { input: 1, source: {} }],
    ['a list', [{ input: 1 }]],
    ['nesting without end', `{"input":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['bytes that are no JSON', '{"input":'],
  ])('refuses %s and stores nothing', async (_what, body) => {
    const path = await dataset();
    expectRefused(await post(path, body), 400, 'invalid_request');
    expect(await list(path)).toEqual([]);
    expect(await count(path)).toBe(0);
  });

  test('large values are returned unchanged, too large ones are refused', async () => {
    const path = await dataset();
    const megabyte = 'é'.repeat(524_288);
    const large = Array.from({ length: 7 }, (_, n) => ({ input: n + megabyte, expectedOutput: megabyte }));
    expect((await post(path, { items: large })).status).toBe(201);
    expect((await list(path)).map(({ input }: { input: string }) => input[0])).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect((await list(path)).every(({ expectedOutput }: { expectedOutput: string }) => expectedOutput === megabyte)).toBe(true);
    const over = { input: megabyte.repeat(2), expectedOutput: megabyte.repeat(2) };
    expectRefused(await post(path, { items: [{ input: 1 }, over] }), 413, 'payload_too_large');
    expectRefused(await post(path, { items: Array.from({ length: 17 }, () => ({ input: megabyte })) }), 413, 'payload_too_large');
    expectRefused(await post(path, { items: [{ input: Array.from({ length: 2_000_001 }, () => 1) }] }), 400, 'invalid_request');
    expect(await count(path)).toBe(7);
  });

  test('concurrent writers produce one order without duplicate places', async () => {
    const path = await dataset();
    const writers = Array.from({ length: 8 }, (_, writer) =>
      Array.from({ length: 5 }, (_, request) => Array.from({ length: 7 }, (_, item) => `${writer}/${request}/${item}`)),
    );
    await Promise.all(
      writers.flat().map(async (group) => {
        const answer = await post(path, { items: group.map((input) => ({ input })) });
        expect(answer.status).toBe(201);
      }),
    );
    const stored = inputs(await list(path)) as string[];
    expect(stored.toSorted()).toEqual(writers.flat(2).toSorted());
    // Items of one request are contiguous.
    for (let start = 0; start < stored.length; start += 7) {
      const group = stored[start]?.slice(0, -1);
      expect(stored.slice(start, start + 7)).toEqual(Array.from({ length: 7 }, (_, item) => `${group}${item}`));
    }
    expect(await count(path)).toBe(280);
  });

  test('a dataset has at most 100,000 items', async () => {
    const path = await dataset();
    const id = path.split('/').at(-1);
    const tables = service.db;
    await tables
      .updateTable('datasets')
      .set({ item_count: 99_999 })
      .where('id', '=', id ?? '')
      .execute();
    expectRefused(await post(path, { items: [{ input: 1 }, { input: 2 }] }), 409, 'conflict');
    expect((await post(path, { input: 1 })).status).toBe(201);
    expect(await list(path)).toHaveLength(1);
  });
});

test('any JSON is returned as it was sent', async () => {
  const path = await dataset();
  const anyJson = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '\udc00x',
      { ['__proto__']: 1 },
      JSON.parse('{"__proto__":{"a":[1]},"constructor":{"prototype":1}}'),
      -0.1,
      1e21,
      5e-324,
      2 ** 53,
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyJson, fc.option(anyJson, { nil: undefined })), { minLength: 1, maxLength: 8 }),
      async (values) => {
        const sent = values.map(([input, expectedOutput]) => JSON.stringify({ input, expectedOutput, metadata: { m: input } }));
        const answer = await post(path, `{"items":[${sent.join(',')}]}`);
        expect(answer.status, answer.text).toBe(201);
        const after = answer.body.items[0].id;
        const read = [answer.body.items[0], ...(await list(path, `?after=${after}`))];
        expect(read).toEqual(answer.body.items);
        const shown = answer.body.items.map((item: Record<string, unknown>) =>
          JSON.stringify({ input: item['input'], expectedOutput: item['expectedOutput'], metadata: item['metadata'] }),
        );
        expect(shown).toEqual(sent);
      },
    ),
    { numRuns: 60 },
  );
});

test('numbers that JavaScript cannot hold keep their digits', async () => {
  const path = await dataset();
  const contents = '"input":{"id":12345678901234567890,"deep":[0.12345678901234567890]},"expectedOutput":1e400';
  const answer = await post(path, `{${contents}}`);
  expect(answer.text).toContain(contents);
  expect((await service.request(project, 'GET', `${path}/items`)).text).toContain(contents);
});

describe('items of spans', () => {
  const span = (traceId: string, spanId: string, more: object = {}) => ({
    type: 'span',
    traceId,
    spanId,
    name: 'step',
    startTime: new Date(nowMs - 60_000).toISOString(),
    ...more,
  });
  beforeAll(async () => {
    await service.ingest(project, [
      span('t1', 'root', { input: { q: 'x'.repeat(5000) }, output: ['a', 12] }),
      span('t1', 'child', { parentSpanId: 'root', input: 'child in', output: 'child out' }),
      span('t1', 'empty', { parentSpanId: 'root' }),
      span('t2', 'orphan', { parentSpanId: 'missing', input: 'orphan in', startTime: new Date(nowMs - 30_000).toISOString() }),
      span('t2', 'earlier-child', { parentSpanId: 'orphan', input: 'child', startTime: new Date(nowMs - 90_000).toISOString() }),
      { type: 'trace', traceId: 't2', input: 'of the trace', output: 'trace out' },
      { type: 'trace', traceId: 't3', input: 'a record alone' },
      span('t4', 'a', { parentSpanId: 'b', input: 'a circle' }),
      span('t4', 'b', { parentSpanId: 'a', input: 'later', startTime: new Date(nowMs - 10_000).toISOString() }),
    ]);
    await service.ingest(other, [span('theirs', 'a', { input: 'secret' })]);
  });

  test.each([
    ['a span', { traceId: 't1', spanId: 'child' }, { input: 'child in', expectedOutput: 'child out' }, 'child'],
    ['the root', { traceId: 't1' }, { input: { q: 'x'.repeat(5000) }, expectedOutput: ['a', 12] }, 'root'],
    ['a root whose parent never came', { traceId: 't2' }, { input: 'orphan in', expectedOutput: 'trace out' }, 'orphan'],
    ['a trace without spans', { traceId: 't3' }, { input: 'a record alone' }, ''],
    ['a circle', { traceId: 't4' }, { input: 'a circle' }, 'a'],
    ['a span without contents', { traceId: 't1', spanId: 'empty' }, { input: null }, 'empty'],
  ])('%s', async (_what, source, contents, spanId) => {
    const path = await dataset();
    const answer = await post(path, { source });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.items).toEqual([
      {
        id: expect.any(String),
        datasetId: expect.any(String),
        ...contents,
        metadata: {},
        source: { traceId: source.traceId, spanId },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(await list(path)).toEqual(answer.body.items);
  });

  test('given fields take precedence, and items with and without a source keep their order', async () => {
    const path = await dataset();
    const source = { traceId: 't1', spanId: 'child' };
    const items = [
      { input: 1 },
      { source, input: null },
      { source: { traceId: 't1' }, expectedOutput: null, metadata: { a: 1 } },
      { source },
      { input: 2 },
    ];
    const { body } = await post(path, { items });
    expect(body.items).toMatchObject([
      { input: 1 },
      { input: null, expectedOutput: 'child out', source },
      { input: { q: expect.any(String) }, expectedOutput: null, metadata: { a: 1 }, source: { traceId: 't1', spanId: 'root' } },
      { input: 'child in', expectedOutput: 'child out' },
      { input: 2 },
    ]);
  });

  test.each([
    ['no such trace', { traceId: 'nowhere' }],
    ['no such span', { traceId: 't1', spanId: 'nowhere' }],
    ["another trace's span", { traceId: 't2', spanId: 'child' }],
    ["another project's span", { traceId: 'theirs', spanId: 'a' }],
    ["another project's trace", { traceId: 'theirs' }],
    ['odd characters', { traceId: "t1' OR 1=1 --\\\n\t", spanId: '"' }],
  ])('%s: 404, and nothing is stored', async (_what, source) => {
    const path = await dataset();
    const answer = await post(path, { items: [{ input: 1 }, { source: { traceId: 't1' } }, { input: 2, source }] });
    expectRefused(answer, 404, 'not_found');
    expect(answer.body.details).toEqual([{ path: '/items/2/source', message: expect.any(String) }]);
    expect(await list(path)).toEqual([]);
  });

  test('1000 items of 600 traces each get their own payload', async () => {
    const path = await dataset();
    for (let start = 0; start < 600; start += 100) {
      const spans = Array.from({ length: 100 }, (_, n) => span(`many-${start + n}`, 'root', { input: start + n }));
      await service.ingest(project, spans);
    }
    const items = Array.from({ length: 1000 }, (_, n) => ({
      source: { traceId: `many-${n % 600}`, ...(n % 3 === 0 ? { spanId: 'root' } : {}) },
    }));
    expect((await post(path, { items })).status).toBe(201);
    expect(inputs(await list(path))).toEqual(Array.from({ length: 1000 }, (_, n) => n % 600));
  });

  test('errors about a single item use its path', async () => {
    const answer = await post(await dataset(), { source: { traceId: 'nowhere' } });
    expect(answer).toMatchObject({ status: 404, body: { details: [{ path: '/source' }] } });
  });

  test('spans before the retention edge are not found', async () => {
    const { body } = await service.request(other, 'POST', '/v1/datasets', { body: { name: 'theirs' } });
    const items = `/v1/datasets/${body.id}/items`;
    const source = { traceId: 'theirs' };
    expect((await service.request(other, 'POST', items, { body: { source } })).status).toBe(201);
    service.clock.advance(15 * 86_400_000);
    expectRefused(await service.request(other, 'POST', items, { body: { source } }), 404, 'not_found');
    expect((await service.request(other, 'GET', items)).body.items).toMatchObject([{ input: 'secret' }]);
    service.clock.set(nowMs);
  });
});

describe('changing and deleting', () => {
  test('changes the given fields and keeps the place', async () => {
    const path = await dataset();
    const { items } = (await post(path, { items: [{ input: 1, expectedOutput: 1, metadata: { a: 1 } }, { input: 2 }] })).body;
    const item = `${path}/items/${items[0].id}`;
    service.clock.advance(1000);
    const patch = async (body: unknown) => service.request(project, 'PATCH', item, { body });
    const updatedAt = new Date(nowMs + 1000).toISOString();
    expect((await patch({ input: ['new'] })).body).toEqual({ ...items[0], input: ['new'], updatedAt });
    expect((await patch({ expectedOutput: null })).body).toHaveProperty('expectedOutput', null);
    expect((await patch({ unset: ['expectedOutput'] })).body).not.toHaveProperty('expectedOutput');
    expect((await patch({ metadata: {} })).body).toMatchObject({ input: ['new'], metadata: {} });
    expect((await patch({})).status).toBe(200);
    expect(inputs(await list(path))).toEqual([['new'], 2]);
    service.clock.set(nowMs);
    for (const body of [
      { metadata: 1 },
      { id: items[0].id },
      { source: { traceId: 't1' } },
      { unset: ['input'] },
      { unset: ['expectedOutput'], expectedOutput: 1 },
      [],
      1,
    ])
      expectRefused(await patch(body), 400, 'invalid_request');
    expectRefused(await patch({ input: 'x'.repeat(4_194_304) }), 413, 'payload_too_large');
    expectRefused(await service.request(project, 'PATCH', item, {}), 400, 'invalid_request');
  });

  test('deletes one item; its place is not reused', async () => {
    const path = await dataset();
    const { items } = (await post(path, { items: [{ input: 1 }, { input: 2 }, { input: 3 }] })).body;
    const gone = `${path}/items/${items[2].id}`;
    expect((await service.request(project, 'DELETE', gone)).status).toBe(204);
    expectRefused(await service.request(project, 'DELETE', gone), 404, 'not_found');
    expectRefused(await service.request(project, 'PATCH', gone, { body: {} }), 404, 'not_found');
    await post(path, { input: 4 });
    expect(inputs(await list(path))).toEqual([1, 2, 4]);
    expect(await count(path)).toBe(3);
    const elsewhere = `${await dataset()}/items/${items[0].id}`;
    expectRefused(await service.request(project, 'DELETE', elsewhere), 404, 'not_found');
  });

  test('concurrent adding, changing and deleting, and deleting the dataset, never fail', async () => {
    const path = await dataset();
    const { items } = (await post(path, { items: Array.from({ length: 20 }, (_, input) => ({ input })) })).body;
    const answers = await Promise.all([
      ...items.flatMap(({ id }: { id: string }, index: number) => [
        service.request(project, 'PATCH', `${path}/items/${id}`, { body: { input: `changed ${index}` } }),
        service.request(project, 'DELETE', `${path}/items/${id}`),
        post(path, { input: 'new' }),
      ]),
      service.request(project, 'DELETE', path),
      service.request(project, 'DELETE', path),
    ]);
    for (const { status, text } of answers as Answer[]) expect([200, 201, 204, 404], text).toContain(status);
    expect((await service.request(project, 'GET', path)).status).toBe(404);
  });

  test('concurrent deletions count each item once', async () => {
    const path = await dataset();
    const { items } = (await post(path, { items: [{ input: 1 }, { input: 2 }] })).body;
    const gone = `${path}/items/${items[0].id}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.request(project, 'DELETE', gone)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
    expect(await count(path)).toBe(1);
  });
});
