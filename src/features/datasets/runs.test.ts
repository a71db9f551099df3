import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowMs, openDatasetsService } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';
import { readRunItems, saveRunScores } from './run-scores.ts';
import { expectRefused, sampleRuns } from './sample-runs.fixture.ts';
import type { SampleItem as Item, SampleRuns } from './sample-runs.fixture.ts';

let service: DatasetsService;
let project: TestProject;
let dataset: SampleRuns['dataset'];
let get: SampleRuns['get'];
let add: SampleRuns['add'];
let run: SampleRuns['run'];
let score: SampleRuns['score'];
beforeAll(async () => {
  service = await openDatasetsService();
  project = await service.project();
  ({ dataset, get, add, run, score } = await sampleRuns(service, project));
});
afterAll(() => service.close());

/** A cost in which no call is missing. */
const whole = { unpricedCalls: 0, partlyPricedCalls: 0 };
const none = { itemCount: 0, errorRate: 0, latencyP50Ms: null, latencyP95Ms: null, costUsd: 0, ...whole, byEvaluator: [] };

describe('runs', () => {
  test('are created, listed newest first, read and deleted', async () => {
    const { path } = await dataset();
    const answer = await service.request(project, 'POST', `${path}/runs`, { body: { name: 'first', metadata: { model: 'm' } } });
    expect(answer.status).toBe(201);
    const now = new Date(nowMs).toISOString();
    const record = {
      id: expect.any(String),
      datasetId: path.split('/').at(-1),
      name: 'first',
      metadata: { model: 'm' },
      createdAt: now,
      updatedAt: now,
      aggregates: none,
    };
    expect(answer.body).toEqual(record);
    expect((await get(`${path}/runs/${answer.body.id}`)).body).toEqual({ ...record, items: [], nextCursor: null });
    // A name may repeat.
    for (let n = 0; n < 4; n += 1) await run(path, [], 'again');
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await get(`${path}/runs?limit=2${cursor}`);
      seen.push(...page.body.runs.map(({ name }: { name: string }) => name));
      expect(page.body.runs[0].aggregates).toEqual(none);
      cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(['again', 'again', 'again', 'again', 'first']);
    const gone = `${path}/runs/${answer.body.id}`;
    expect((await service.request(project, 'DELETE', gone)).status).toBe(204);
    expectRefused(await get(gone), 404, 'not_found');
    expectRefused(await service.request(project, 'DELETE', gone), 404, 'not_found');
    const elsewhere = await dataset();
    expectRefused(await get(`${elsewhere.path}/runs/${(await run(path)).id}`), 404, 'not_found');
    for (const query of ['limit=0', 'limit=201', 'cursor=x'])
      expectRefused(await get(`${path}/runs?${query}`), 400, 'invalid_request');
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a text as metadata', { name: 'x', metadata: 'x' }],
    ['an unknown field', { name: 'x', items: [] }],
  ])('refuse %s', async (_what, body) => {
    const { path } = await dataset(0);
    expectRefused(await service.request(project, 'POST', `${path}/runs`, { body }), 400, 'invalid_request');
  });
});

describe('run items', () => {
  test('are stored as given and read in the order of the dataset', async () => {
    const { path, ids } = await dataset();
    const { path: runPath, items } = await run(path, [
      { datasetItemId: ids[2]?.toUpperCase(), output: null, error: 'timed out', latencyMs: 12.5, costUsd: 0 },
      { datasetItemId: ids[0], output: { a: [1] }, error: true },
      { datasetItemId: ids[1], error: '' },
    ]);
    const runId = runPath.split('/').at(-1);
    const common = {
      id: expect.stringMatching(/-7/),
      runId,
      traceId: null,
      latencyMs: null,
      costUsd: null,
      createdAt: expect.any(String),
    };
    const expected = [
      { ...common, datasetItemId: ids[2], output: null, latencyMs: 12.5, costUsd: 0, error: 'timed out' },
      { ...common, datasetItemId: ids[0], output: { a: [1] }, error: true },
      { ...common, datasetItemId: ids[1], output: null, error: null },
    ];
    expect(items).toEqual(expected);
    const { body } = await get(runPath);
    expect(body.items).toEqual([expected[1], expected[2], expected[0]].map((item) => ({ ...item, ...whole, scores: [] })));
    expect(body.aggregates).toEqual({ ...none, itemCount: 3, errorRate: 2 / 3, latencyP50Ms: 12.5, latencyP95Ms: 12.5 });
  });

  test('take omitted fields from their trace', async () => {
    const { path, ids } = await dataset(4);
    const { path: runPath, items } = await run(path, [
      { datasetItemId: ids[0], traceId: 'trace-1' },
      { datasetItemId: ids[1], traceId: 'trace-2', output: 'own', latencyMs: 7, costUsd: 9 },
      { datasetItemId: ids[2], traceId: 'trace-3', output: null },
      { datasetItemId: ids[3], traceId: 'not there yet' },
    ]);
    expect(items[0]).toMatchObject({ traceId: 'trace-1', output: null, latencyMs: null, costUsd: null });
    await score(items[2]?.id ?? '', 'helpful', 0, false);
    const { body } = await get(runPath);
    const scored = { passed: null, comment: null };
    expect(body.items).toMatchObject([
      // The latest score of the trace by this evaluator; scores of its spans do not count.
      { output: 'traced 1', latencyMs: 1000, costUsd: 0.1, scores: [{ evaluator: 'helpful', score: 1, ...scored }] },
      { output: 'own', latencyMs: 7, costUsd: 9, scores: [{ evaluator: 'helpful', score: 0.5, ...scored, passed: true }] },
      { output: null, latencyMs: 3000, costUsd: 0.3, scores: [{ evaluator: 'helpful', score: 0, ...scored, passed: false }] },
      { output: null, latencyMs: null, costUsd: null, scores: [] },
    ]);
    expect(body.aggregates).toEqual({
      itemCount: 4,
      errorRate: 0,
      latencyP50Ms: 1000,
      latencyP95Ms: 1000,
      costUsd: 9.4,
      ...whole,
      byEvaluator: [{ evaluator: 'helpful', avgScore: 0.5, passRate: 0.5, count: 3, failed: 0, skipped: 0, waiting: 0 }],
    });
    expect((await get(`${path}/runs`)).body.runs[0].aggregates).toEqual(body.aggregates);
  });

  test('count the calls of their traces that are missing in the cost, unless they state a cost themselves', async () => {
    const calls = {
      provided: { model: 'm', costUsd: 0.25 },
      priced: { model: 'gpt-4o', usage: { inputTokens: 1000, outputTokens: 10 } },
      partly: { model: 'gpt-4o', usage: { inputTokens: 1000, outputTokens: 10, details: { inputSmell: 5 } } },
      unpriced: { model: 'nobody-prices-this', usage: { inputTokens: 5 } },
    };
    const traces: Array<Array<keyof typeof calls>> = [
      ['unpriced'],
      ['unpriced', 'unpriced', 'provided'],
      ['partly', 'unpriced'],
      ['priced', 'provided'],
      ['partly', 'partly'],
      ['unpriced', 'partly'],
    ];
    const startTime = new Date(nowMs - 1000).toISOString();
    const span = { type: 'span', name: 'call', kind: 'llm', startTime, endTime: new Date(nowMs).toISOString() };
    await service.ingest(
      project,
      traces.flatMap((kinds, trace) =>
        kinds.map((kind, call) => ({ ...span, traceId: `mixed-${trace}`, spanId: `${call}`, ...calls[kind] })),
      ),
    );
    const { path, ids } = await dataset(traces.length + 2);
    // The last trace belongs to an item with a cost of its own; two more items have no cost at all.
    const items = ids.map((datasetItemId, n) => ({
      datasetItemId,
      ...(n < traces.length ? { traceId: `mixed-${n}` } : n === traces.length ? { traceId: 'none' } : {}),
      ...(n === traces.length - 1 ? { costUsd: 7 } : {}),
    }));
    const first = await run(path, items);
    const second = await run(path, items.slice(2));
    const missing = ids.map((_id, n) => {
      const kinds = n === traces.length - 1 ? [] : (traces[n] ?? []);
      const count = (kind: string) => kinds.filter((one) => one === kind).length;
      return { unpricedCalls: count('unpriced'), partlyPricedCalls: count('partly') };
    });
    const sumOf = (of: typeof missing) => ({
      unpricedCalls: of.reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0),
      partlyPricedCalls: of.reduce((sum, { partlyPricedCalls }) => sum + partlyPricedCalls, 0),
    });
    const { body } = await get(first.path);
    expect(body.items).toMatchObject(missing);
    expect(body.items.map(({ costUsd }: { costUsd: number | null }) => costUsd).slice(5)).toEqual([7, null, null]);
    expect(body.items[0].costUsd).toBe(0);
    expect(body.aggregates).toMatchObject(sumOf(missing));
    expect((await get(`${path}/runs`)).body.runs.map(({ aggregates }: { aggregates: object }) => aggregates)).toMatchObject([
      sumOf(missing.slice(2)),
      sumOf(missing),
    ]);
    const compared = (await get(`${path}/runs/compare?runs=${first.id},${second.id}`)).body.items;
    expect(compared).toMatchObject(missing.map((a, n) => ({ a, b: n < 2 ? null : a })));
  });

  test('fail when their trace has failed, unless they state it themselves', async () => {
    const failed = {
      type: 'span',
      traceId: 'failed',
      spanId: 's',
      name: 'call',
      startTime: new Date(nowMs).toISOString(),
      status: 'error',
    };
    await service.ingest(project, [failed]);
    const { path, ids } = await dataset(7);
    const { path: runPath, items } = await run(path, [
      { datasetItemId: ids[0], traceId: 'failed' },
      { datasetItemId: ids[1], traceId: 'failed', error: null },
      { datasetItemId: ids[2], traceId: 'failed', error: false },
      { datasetItemId: ids[3], traceId: 'failed', error: '' },
      { datasetItemId: ids[4], traceId: 'failed', error: 'timed out' },
      { datasetItemId: ids[5], traceId: 'trace-1' },
      { datasetItemId: ids[6], traceId: 'trace-1', error: true },
    ]);
    const errors = (of: ReadonlyArray<{ error: unknown }>) => of.map(({ error }) => error);
    expect(errors(items as never)).toEqual([null, null, null, null, 'timed out', null, true]);
    const { body } = await get(runPath);
    expect(errors(body.items)).toEqual([true, true, null, null, 'timed out', null, true]);
    expect(body.aggregates).toMatchObject({ itemCount: 7, errorRate: 4 / 7 });
  });

  test('1000 in one request are accepted, 1001 refused; pages', async () => {
    const { path, ids } = await dataset(1001);
    const items = ids.map((datasetItemId, output) => ({ datasetItemId, output, latencyMs: output }));
    const { path: runPath } = await run(path);
    expectRefused(await add(runPath, items), 400, 'invalid_request');
    expect((await get(runPath)).body.aggregates.itemCount).toBe(0);
    expect((await add(runPath, items.slice(1).toReversed())).body.items).toHaveLength(1000);
    expect((await add(runPath, items.slice(0, 1))).status).toBe(201);
    const first = (await get(runPath)).body;
    expect(first.items.map(({ output }: { output: number }) => output)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    // Rank floor(q * (n - 1)) of 0..1000.
    expect(first.aggregates).toMatchObject({ itemCount: 1001, latencyP50Ms: 500, latencyP95Ms: 950 });
    const rest = (await get(`${runPath}?cursor=${first.nextCursor}`)).body;
    expect(rest).toMatchObject({ items: [{ output: 1000 }], nextCursor: null });
    const small = (await get(`${runPath}?limit=200&cursor=${(await get(`${runPath}?limit=3`)).body.nextCursor}`)).body;
    expect([small.items.length, small.items[0].output]).toEqual([200, 3]);
    for (const query of ['limit=0', 'limit=201', 'cursor=!', 'cursor=eA'])
      expectRefused(await get(`${runPath}?${query}`), 400, 'invalid_request');
  });

  test('sent again replace the earlier ones and their scores', async () => {
    const { path, ids } = await dataset();
    const { path: runPath, items } = await run(path, [
      { datasetItemId: ids[0], output: 1 },
      { datasetItemId: ids[1], output: 2 },
    ]);
    await score(items[0]?.id ?? '', 'e', 1);
    const again = await add(runPath, [
      { datasetItemId: ids[0], output: 'first' },
      { datasetItemId: ids[2], output: 3 },
      { datasetItemId: ids[0], output: 'last' },
    ]);
    expect(again.body.items).toMatchObject([{ datasetItemId: ids[2] }, { datasetItemId: ids[0], output: 'last' }]);
    expect(again.body.items[1].id).not.toBe(items[0]?.id);
    const { body } = await get(runPath);
    expect(body.items).toMatchObject([{ output: 'last', scores: [] }, { output: 2 }, { output: 3 }]);
    expect(body.aggregates).toMatchObject({ itemCount: 3, byEvaluator: [] });
    // Scores of an evaluation that started before are dropped.
    await score(items[0]?.id ?? '', 'e', 1);
    expect((await get(runPath)).body.aggregates.byEvaluator).toEqual([]);
  });

  test.each([
    ['no items', []],
    ['an unknown field', [{ datasetItemId: '@0', input: 1 }]],
    ['no dataset item', [{ datasetItemId: '@0' }, {}]],
    ['a latency below 0', [{ datasetItemId: '@0', latencyMs: -1 }]],
    ['a latency past any measure', [{ datasetItemId: '@0', latencyMs: 1e300 }]],
    ['a cost that is a text', [{ datasetItemId: '@0', costUsd: '1' }]],
    ['an error that is a list', [{ datasetItemId: '@0', error: [] }]],
    ['an empty trace id', [{ datasetItemId: '@0', traceId: '' }]],
    ['a trace id with a NUL', [{ datasetItemId: '@0', traceId: 'a\0' }]],
    ['what is no list', {}],
  ])('refuse %s', async (_what, items) => {
    const { path, ids } = await dataset();
    const { path: runPath } = await run(path);
    const filled = JSON.parse(JSON.stringify(items).replaceAll('@0', ids[0] ?? ''));
    expectRefused(await add(runPath, filled), 400, 'invalid_request');
    expect((await get(runPath)).body.items).toEqual([]);
  });

  test('of other datasets are 404, too large ones 413; nothing is stored', async () => {
    const { path, ids } = await dataset();
    const { path: runPath } = await run(path);
    const other = await dataset();
    for (const id of [other.ids[0], '0197ffff-0000-7000-8000-000000000000', 'x', '']) {
      const answer = await add(runPath, [{ datasetItemId: ids[0] }, { datasetItemId: id }]);
      expectRefused(answer, 404, 'not_found');
      expect(answer.body.details).toEqual([{ path: '/items/1/datasetItemId', message: expect.any(String) }]);
    }
    expectRefused(await add(runPath, [{ datasetItemId: ids[0], output: 'x'.repeat(4_194_304) }]), 413, 'payload_too_large');
    expect((await get(runPath)).body.items).toEqual([]);
  });

  test('concurrent writes and deletions never fail, and the last write counts', async () => {
    const { path, ids } = await dataset(6);
    const { path: runPath } = await run(path);
    const all = ids.map((datasetItemId) => ({ datasetItemId, output: 'x' }));
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => add(runPath, n % 2 ? all : all.toReversed())),
      service.request(project, 'DELETE', `${path}/items/${ids[5]}`),
      ...Array.from({ length: 6 }, (_, n) => add(runPath, all.slice(n, n + 2).toReversed())),
    ]);
    for (const { status, text } of answers) expect([201, 204, 404], text).toContain(status);
    expect((await add(runPath, all.slice(0, 5))).status).toBe(201);
    const { body } = await get(runPath);
    expect(body.items.map(({ datasetItemId }: Item) => datasetItemId)).toEqual(ids.slice(0, 5));
    const { items } = body as { items: Item[] };
    const ended = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        saveRunScores(
          service.db,
          service.clock,
          items.map(({ id }) => ({ runItemId: id, evaluator: 'e', score: 1, passed: true, comment: 'c' })),
        ).then(() => 201),
      ),
      service.request(project, 'DELETE', runPath).then(({ status }) => status),
      add(runPath, all).then(({ status }) => status),
      service.request(project, 'DELETE', path).then(({ status }) => status),
    ]);
    for (const status of ended) expect([201, 204, 404]).toContain(status);
    expectRefused(await get(path), 404, 'not_found');
  });

  test('are passed to the hook in their transaction', async () => {
    const { path, ids } = await dataset();
    const { path: runPath } = await run(path);
    const told: unknown[] = [];
    service.hook.onRunItemsAdded = async (transaction, tenant, runItemIds) => {
      const read = await readRunItems(transaction, runItemIds);
      told.push([tenant, read]);
    };
    try {
      const { body } = await add(runPath, [
        { datasetItemId: ids[1], output: { a: 1 }, error: 'bad', latencyMs: 5, costUsd: 6, traceId: 't' },
        { datasetItemId: ids[0], error: true },
        { datasetItemId: ids[2], output: null },
      ]);
      const common = { projectId: project.projectId, datasetId: path.split('/').at(-1), runId: runPath.split('/').at(-1) };
      const nothing = {
        expectedOutput: undefined,
        output: undefined,
        latencyMs: null,
        costUsd: null,
        error: null,
        traceId: null,
      };
      expect(told).toEqual([
        [
          { organizationId: project.organizationId, projectId: project.projectId },
          [
            { ...common, ...nothing, id: body.items[1].id, input: 0, error: expect.any(String) },
            {
              ...common,
              id: body.items[0].id,
              input: 1,
              expectedOutput: 1,
              output: { a: 1 },
              error: 'bad',
              latencyMs: 5,
              costUsd: 6,
              traceId: 't',
            },
            { ...common, ...nothing, id: body.items[2].id, input: 2, output: null },
          ],
        ],
      ]);
      service.hook.onRunItemsAdded = () => Promise.reject(new Error('cannot be queued'));
      expect((await add(runPath, [{ datasetItemId: ids[0], output: 'lost' }])).status).toBe(500);
      expect((await get(runPath)).body.items).toHaveLength(3);
      expect(JSON.stringify((await get(runPath)).body)).not.toContain('lost');
    } finally {
      service.hook.onRunItemsAdded = () => Promise.resolve();
    }
  });
});
