import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Verdict } from '../../src/features/evaluation/index.ts';
import { evaluationOver, json, only, postTo, scored } from '../support/evaluation-with-measure.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(Date.UTC(2026, 10, 21, 13));
});
afterAll(() => app.close());

test('yields to the event loop between the evaluations of a batch', async () => {
  await app.evaluator(only('polite'));
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const seen: number[] = [];
  const { evaluation } = evaluationOver(app, () => {
    seen.push(turns);
    return scored(1);
  });
  await app.send(
    Array.from({ length: 10 }, (_, index) => app.span({ traceId: 'polite', spanId: `s${index}`, tags: ['polite'] })),
  );
  await evaluation.runPending();
  clearImmediate(counting);
  expect(new Set(seen).size).toBe(10);
});

test('takes turns between projects', async () => {
  const order: string[] = [];
  const { evaluation, queue } = evaluationOver(app, (slug) => {
    order.push(slug);
    return scored(1);
  });
  await app.evaluator(only('many'));
  const other = await otherProject();
  await other.evaluator(only('few'));
  const ids = Array.from({ length: 120 }, (_, index) => `s${index}`);
  await app.send(ids.slice(0, 100).map((spanId) => app.span({ traceId: 'many', spanId, tags: ['many'] })));
  await app.send(ids.slice(100).map((spanId) => app.span({ traceId: 'many', spanId, tags: ['many'] })));
  await other.send([app.span({ traceId: 'few', spanId: 's', tags: ['few'] })]);
  await evaluation.runPending();
  expect(order).toHaveLength(121);
  expect(order.indexOf('few')).toBeLessThan(60);
  expect(queue.context.limits.online).toBe(10_000);
});

test('a judge that does not answer delays its own project only', async () => {
  const other = await otherProject();
  const gate = Promise.withResolvers<Verdict>();
  const asked: string[] = [];
  const { evaluation } = evaluationOver(app, (slug) => {
    asked.push(slug);
    return slug === 'stuck' ? gate.promise : scored(5);
  });
  const judge = { type: 'llm_judge', config: { model: 'gpt-4o-mini', instructions: 'How good?', scale: [1, 5] } };
  for (const [project, slug] of [
    [app, 'stuck'],
    [other, 'answers'],
  ] as const) {
    const { id: connectionId } = await connect(project.projectId);
    await project.evaluator(only(slug, { ...judge, config: { ...judge.config, connectionId } }));
    const spans = Array.from({ length: 20 }, (_, index) => app.span({ traceId: slug, spanId: `s${index}`, tags: [slug] }));
    await project.send(spans);
  }
  evaluation.start();
  await vi.waitFor(() => expect(asked.filter((slug) => slug === 'answers')).toHaveLength(20), 30_000);
  expect(asked.filter((slug) => slug === 'stuck')).toHaveLength(4);
  gate.resolve(scored(1));
  await vi.waitFor(() => expect(asked).toHaveLength(40), 30_000);
  await evaluation.stop();
});

function connect(projectId: string) {
  const body = { name: 'Judge', baseUrl: 'https://judge.example.com/v1', model: 'gpt-4o-mini' };
  return postTo(app, `/projects/${projectId}/model-connections`, { ...json, cookie: app.cookie }, JSON.stringify(body));
}

async function otherProject() {
  const { id } = await postTo(
    app,
    `/organizations/${app.organizationId}/projects`,
    { ...json, cookie: app.cookie },
    JSON.stringify({ name: 'Other' }),
  );
  const { key } = await postTo(
    app,
    `/projects/${id}/api-keys`,
    { ...json, cookie: app.cookie },
    JSON.stringify({ name: 'other' }),
  );
  return {
    projectId: id,
    evaluator: (body: object) => postTo(app, `/projects/${id}/evaluators`, { ...json, 'x-api-key': key }, JSON.stringify(body)),
    send: async (spans: readonly object[]) => {
      const body = spans.map((span) => JSON.stringify(span)).join('\n');
      await postTo(app, '/ingest', { 'x-api-key': key, 'content-type': 'application/x-ndjson' }, body);
      await app.pipeline.drain();
    },
  };
}
