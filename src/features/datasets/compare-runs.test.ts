import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatasetsService } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';
import { saveRunScores } from './run-scores.ts';
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

test('scores of run items are returned and aggregated; the last one of an evaluator counts', async () => {
  const { path, ids } = await dataset();
  const { path: runPath, items } = await run(
    path,
    ids.map((datasetItemId) => ({ datasetItemId })),
  );
  const [a = '', b = '', c = ''] = items.map(({ id }) => id);
  await saveRunScores(service.db, service.clock, []);
  await score(a, 'zeta', 5, true);
  const comment = 'with a \0';
  await service.db.transaction().execute((transaction) =>
    saveRunScores(transaction, service.clock, [
      { runItemId: a.toUpperCase(), evaluator: 'zeta', score: 0.1, passed: false, comment },
      { runItemId: b, evaluator: 'zeta', score: 0.2, passed: true, comment: null },
      { runItemId: b, evaluator: 'alpha', score: 9, passed: null, comment: null },
      { runItemId: b, evaluator: 'alpha', score: 3, passed: null, comment: null },
      { runItemId: c, evaluator: '\u{1f600}', score: -1, passed: null, comment: null },
      { runItemId: c, evaluator: '\uff61', score: 1, passed: null, comment: null },
      { runItemId: '0197ffff-0000-7000-8000-000000000000', evaluator: 'zeta', score: 1, passed: null, comment: null },
    ]),
  );
  const { body } = await get(runPath);
  const settled = { failed: 0, skipped: 0, waiting: 0 };
  expect(body.aggregates.byEvaluator).toEqual([
    { evaluator: 'alpha', avgScore: 3, passRate: null, count: 1, ...settled },
    { evaluator: 'zeta', avgScore: 0.15, passRate: 0.5, count: 2, ...settled },
    { evaluator: '\uff61', avgScore: 1, passRate: null, count: 1, ...settled },
    { evaluator: '\u{1f600}', avgScore: -1, passRate: null, count: 1, ...settled },
  ]);
  expect(body.items[0].scores).toEqual([{ evaluator: 'zeta', score: 0.1, passed: false, comment: 'with a \u{fffd}' }]);
  expect(body.items[1].scores.map(({ evaluator }: { evaluator: string }) => evaluator)).toEqual(['alpha', 'zeta']);
  for (const bad of [Number.NaN, Infinity, 1e16]) await expect(score(a, 'e', bad)).rejects.toThrow(RangeError);
});

describe('comparing', () => {
  const compare = (path: string, ...runs: string[]) => get(`${path}/runs/compare?runs=${runs.join(',')}`);

  test('returns the items of two runs side by side', async () => {
    const { path, ids } = await dataset(5);
    const a = await run(
      path,
      [0, 1, 2].map((n) => ({ datasetItemId: ids[n], output: `a${n}`, latencyMs: n })),
    );
    const b = await run(path, [
      { datasetItemId: ids[4], traceId: 'trace-1' },
      ...[2, 1].map((n) => ({ datasetItemId: ids[n], output: `b${n}`, costUsd: n, error: 'x' })),
    ]);
    const ids_ = (items: Item[]) => items.map(({ id }) => id);
    const [a0 = '', a1 = '', a2 = ''] = ids_(a.items);
    const [b4 = '', b2 = '', b1 = ''] = ids_(b.items);
    for (const [id, value] of [
      [a0, 1],
      [a1, 0.25],
      [a2, 0.5],
      [b1, 0.75],
      [b2, 0.75],
    ] as const)
      await score(id, 'good', value);
    await score(a1, 'only-a', 1);
    await score(b4, 'helpful', 0);
    const answer = await compare(path, a.id, b.id);
    expect(answer.status, answer.text).toBe(200);
    const side = (runItemId: string, output: unknown, more: object) => ({
      runItemId,
      traceId: null,
      output,
      latencyMs: null,
      costUsd: null,
      error: null,
      unpricedCalls: 0,
      partlyPricedCalls: 0,
      ...more,
    });
    const scored = (evaluator: string, value: number) => ({ evaluator, score: value, passed: null, comment: null });
    expect(answer.body.items).toEqual([
      { datasetItemId: ids[0], a: side(a0, 'a0', { latencyMs: 0, scores: [scored('good', 1)] }), b: null },
      {
        datasetItemId: ids[1],
        a: side(a1, 'a1', { latencyMs: 1, scores: [scored('good', 0.25), scored('only-a', 1)] }),
        b: side(b1, 'b1', { costUsd: 1, error: 'x', scores: [scored('good', 0.75)] }),
      },
      {
        datasetItemId: ids[2],
        a: side(a2, 'a2', { latencyMs: 2, scores: [scored('good', 0.5)] }),
        b: side(b2, 'b2', { costUsd: 2, error: 'x', scores: [scored('good', 0.75)] }),
      },
      {
        datasetItemId: ids[4],
        a: null,
        b: side(b4, 'traced 1', { traceId: 'trace-1', latencyMs: 1000, costUsd: 0.1, scores: [scored('helpful', 0)] }),
      },
    ]);
    const nothing = { meanDelta: null, ciLow: null, ciHigh: null, n: 0 };
    expect(answer.body.byEvaluator).toEqual([
      { evaluator: 'good', meanDelta: 0.375, ciLow: 0.25, ciHigh: 0.5, n: 2 },
      { evaluator: 'helpful', ...nothing },
      { evaluator: 'only-a', ...nothing },
    ]);
    expect((await compare(path, a.id, b.id)).text).toBe(answer.text);
    const exchanged = (await compare(path, b.id, a.id)).body;
    expect(exchanged.byEvaluator[0]).toEqual({ evaluator: 'good', meanDelta: -0.375, ciLow: -0.5, ciHigh: -0.25, n: 2 });
    expect((await compare(path, a.id, a.id.toUpperCase())).body.byEvaluator[0]).toMatchObject({
      meanDelta: 0,
      ciLow: 0,
      ciHigh: 0,
      n: 3,
    });
    const empty = await run(path);
    expect((await compare(path, empty.id, empty.id)).body).toEqual({ items: [], byEvaluator: [] });
  });

  test('the interval of one item is its difference', async () => {
    const { path, ids } = await dataset(1);
    const [a, b] = [await run(path, [{ datasetItemId: ids[0] }]), await run(path, [{ datasetItemId: ids[0] }])];
    await score(a.items[0]?.id ?? '', 'e', 1);
    await score(b.items[0]?.id ?? '', 'e', 0.5);
    expect((await compare(path, a.id, b.id)).body.byEvaluator).toEqual([
      { evaluator: 'e', meanDelta: -0.5, ciLow: -0.5, ciHigh: -0.5, n: 1 },
    ]);
  });

  test('continues past one page, with large outputs', async () => {
    const { path, ids } = await dataset(1100);
    const [a, b] = [await run(path), await run(path)];
    const output = 'y'.repeat(8_000);
    for (const runPath of [a.path, b.path]) {
      await add(
        runPath,
        ids.slice(0, 700).map((datasetItemId) => ({ datasetItemId, output })),
      );
      await add(
        runPath,
        ids.slice(700).map((datasetItemId) => ({ datasetItemId, output })),
      );
    }
    const { body } = await compare(path, a.id, b.id);
    expect(body.items.map(({ datasetItemId }: Item) => datasetItemId)).toEqual(ids);
    expect(
      body.items.every((item: Record<'a' | 'b', { output: string }>) => item.a.output === output && item.b.output === output),
    ).toBe(true);
  });

  test('refuses anything but two runs of the dataset', async () => {
    const { path } = await dataset(1);
    const { id } = await run(path);
    const elsewhere = await run((await dataset(1)).path);
    for (const runs of [[], [id], [id, id, id], [id, ''], ['']])
      expectRefused(await compare(path, ...runs), 400, 'invalid_request');
    expectRefused(await get(`${path}/runs/compare`), 400, 'invalid_request');
    for (const runs of [
      [id, elsewhere.id],
      [elsewhere.id, id],
      [id, 'x'],
    ])
      expectRefused(await compare(path, ...runs), 404, 'not_found');
  });
});
