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
  await byKey('POST', `/${dataset.id}/runs/${run.id}/items`, {
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
    { evaluator: 'fast', avgScore: expect.closeTo(1 / 3), passRate: expect.closeTo(1 / 3), count: 3 },
    { evaluator: 'near', avgScore: expect.closeTo((1 + 5 / 6) / 2), passRate: 1, count: 2 },
    { evaluator: 'same', avgScore: 0.5, passRate: 0.5, count: 2 },
  ]);
  expect(await app.evaluations('?evaluator=same')).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ status: 'completed', score: 1, target: { type: 'run_item', runItemId: expect.any(String) } }),
      expect.objectContaining({ status: 'completed', score: 0 }),
      expect.objectContaining({ status: 'skipped', score: null }),
    ]),
  );
  expect(await app.evaluations('?evaluator=off')).toEqual([]);
  expect(await app.evaluations('?evaluator=sessions')).toEqual([]);
});
