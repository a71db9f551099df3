import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

async function byKey(method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${app.url}/v1/datasets${path}`, {
    method,
    headers: { 'x-api-key': app.apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer.json();
}

test('items of a run are evaluated by every enabled evaluator of spans and traces, whatever its filter and sampling', async () => {
  await app.evaluator({ slug: 'same', type: 'exact', sampleRate: 0, filter: { kinds: ['tool'] } });
  await app.evaluator({ slug: 'near', type: 'fuzzy', target: 'span' });
  await app.evaluator({ slug: 'fast', type: 'latency', config: { maxMs: 100 }, passThreshold: 1 });
  await app.evaluator({ slug: 'off', type: 'exact', enabled: false });
  await app.evaluator({ slug: 'sessions', type: 'contains', config: { value: 'a' }, target: 'session' });
  await app.send([app.span({ traceId: 'made', spanId: 's', output: 'Paris' })]);
  const dataset = await byKey('POST', '', { name: 'Capitals' });
  const { items } = await byKey('POST', `/${dataset.id}/items`, {
    items: [{ input: 'France?', expectedOutput: 'Paris' }, { input: 'Spain?', expectedOutput: 'Madrid' }, { input: 'Anything?' }],
  });
  const run = await byKey('POST', `/${dataset.id}/runs`, { name: 'first' });
  const { items: added } = await byKey('POST', `/${dataset.id}/runs/${run.id}/items`, {
    items: [
      { datasetItemId: items[0].id, traceId: 'made' },
      { datasetItemId: items[1].id, output: 'Madrad', latencyMs: 50 },
      { datasetItemId: items[2].id, output: 'yes', latencyMs: 500 },
    ],
  });
  expect(await app.evaluations('?targetType=run_item&status=queued')).toHaveLength(9);
  await app.evaluation.runPending();
  const { aggregates } = await byKey('GET', `/${dataset.id}/runs/${run.id}`);
  expect(aggregates.byEvaluator).toEqual([
    {
      evaluator: 'fast',
      avgScore: expect.closeTo(1 / 3),
      passRate: expect.closeTo(1 / 3),
      count: 3,
      failed: 0,
      skipped: 0,
      waiting: 0,
    },
    { evaluator: 'near', avgScore: expect.closeTo((1 + 5 / 6) / 2), passRate: 1, count: 2, failed: 0, skipped: 1, waiting: 0 },
    { evaluator: 'same', avgScore: 0.5, passRate: 0.5, count: 2, failed: 0, skipped: 1, waiting: 0 },
  ]);
  expect(await app.evaluations('?evaluator=same')).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        status: 'completed',
        score: 1,
        target: {
          type: 'run_item',
          runItemId: added[0].id,
          datasetId: dataset.id,
          runId: run.id,
          datasetItemId: items[0].id,
        },
      }),
      expect.objectContaining({ status: 'completed', score: 0 }),
      expect.objectContaining({ status: 'skipped', score: null }),
    ]),
  );
  expect(await app.evaluations('?evaluator=off')).toEqual([]);
  expect(await app.evaluations('?evaluator=sessions')).toEqual([]);
  // The record outlives what it is about.
  expect(
    (
      await fetch(`${app.url}/v1/datasets/${dataset.id}/runs/${run.id}`, {
        method: 'DELETE',
        headers: { 'x-api-key': app.apiKey },
      })
    ).status,
  ).toBe(204);
  const [gone] = await app.evaluations('?evaluator=near');
  expect(gone.target).toEqual({ type: 'run_item', runItemId: expect.any(String) });
});

test('deleting a trace deletes the scores that were computed from it, and no others', async () => {
  await app.evaluator({ slug: 'of-trace', type: 'exact' });
  const dataset = await byKey('POST', '', { name: 'Deleted' });
  const expected = { input: 'France?', expectedOutput: 'Paris' };
  const { items } = await byKey('POST', `/${dataset.id}/items`, { items: [expected, expected, expected] });
  await app.send(['goes', 'stays'].map((traceId) => app.span({ traceId, spanId: 's', output: 'Paris' })));
  const run = await byKey('POST', `/${dataset.id}/runs`, { name: 'first' });
  await byKey('POST', `/${dataset.id}/runs/${run.id}/items`, {
    items: [
      { datasetItemId: items[0].id, traceId: 'goes' },
      { datasetItemId: items[1].id, traceId: 'stays' },
      { datasetItemId: items[2].id, traceId: 'goes', output: 'Rome' },
    ],
  });
  await app.evaluation.runPending();
  const figures = async () =>
    (await byKey('GET', `/${dataset.id}/runs/${run.id}`)).aggregates.byEvaluator.find(
      ({ evaluator }: { evaluator: string }) => evaluator === 'of-trace',
    );
  expect(await figures()).toMatchObject({ count: 3, avgScore: expect.closeTo(2 / 3) });
  const deleted = await fetch(`${app.url}/v1/projects/${app.projectId}/traces/goes`, {
    method: 'DELETE',
    headers: { cookie: app.cookie },
  });
  expect(deleted.status).toBe(204);
  expect(await figures()).toMatchObject({ count: 2, avgScore: 0.5 });
});

test('an item whose trace arrives later is evaluated when the trace is readable, and skipped when it never arrives', async () => {
  const evaluator = await app.evaluator({ slug: 'later', type: 'exact' });
  const dataset = await byKey('POST', '', { name: 'Later' });
  const { items } = await byKey('POST', `/${dataset.id}/items`, {
    items: [
      { input: 'France?', expectedOutput: 'Paris' },
      { input: 'Spain?', expectedOutput: 'Madrid' },
    ],
  });
  const run = await byKey('POST', `/${dataset.id}/runs`, { name: 'first' });
  await byKey('POST', `/${dataset.id}/runs/${run.id}/items`, {
    items: [
      { datasetItemId: items[0].id, traceId: 'comes' },
      { datasetItemId: items[1].id, traceId: 'never' },
    ],
  });
  const ran = async () =>
    (await app.evaluations(`?evaluator=${evaluator.slug}`)).map(({ status }: { status: string }) => status).toSorted();
  await app.evaluation.runPending();
  expect(await ran()).toEqual(['queued', 'queued']);
  await app.send([app.span({ traceId: 'comes', spanId: 's', output: 'Paris' })]);
  app.clock.advance(1_000);
  await app.evaluation.runPending();
  expect(await ran()).toEqual(['completed', 'queued']);
  const { aggregates } = await byKey('GET', `/${dataset.id}/runs/${run.id}`);
  expect(aggregates.byEvaluator).toEqual(
    expect.arrayContaining([expect.objectContaining({ evaluator: 'later', avgScore: 1, passRate: 1, count: 1 })]),
  );
  for (let attempt = 0; attempt < 6; attempt++) {
    app.clock.advance(11 * 60_000);
    await app.evaluation.runPending();
  }
  expect(await ran()).toEqual(['completed', 'skipped']);
});
