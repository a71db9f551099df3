import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

type Body = Record<string, never>;

async function post(body: object, by: Record<string, string>): Promise<Body> {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/scores`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...by },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Body;
}

async function get<T>(path: string): Promise<T> {
  const { status, body } = await app.get(`/v1/projects/${app.projectId}/${path}`);
  expect(status).toBe(200);
  return body as T;
}

test.each([
  ['a time more than a day ahead', { traceId: 't1', timestamp: new Date(startMs + 90_000_000).toISOString() }, '/timestamp'],
  ['a time before the retention', { traceId: 't1', timestamp: '2020-01-01T00:00:00.000Z' }, '/timestamp'],
  ['two targets', { traceId: 't1', sessionId: 's' }, ''],
  ['a span without its trace', { spanId: 's1' }, ''],
])('400 for %s', async (_what, fields, path) => {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/scores`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': app.apiKey },
    body: JSON.stringify({ evaluator: 'helpful', score: 1, ...fields }),
  });
  const { code, details } = (await answer.json()) as { code: string; details: unknown };
  expect([answer.status, code, details]).toMatchObject([400, 'invalid_request', [{ path }]]);
});

test('scores by key and by session are in the trace, the session and the model figures, once each also when sent twice', async () => {
  const key = { 'x-api-key': app.apiKey };
  const person = { cookie: app.cookie };
  // A score may arrive before its target: docs/semantics.md, "Target of a score".
  const early = await post(
    { scoreId: 'early', traceId: 't1', spanId: 's1', evaluator: 'helpful', score: 0.25, passed: false },
    key,
  );
  await app.send([
    {
      type: 'span',
      traceId: 't1',
      spanId: 's1',
      name: 'chat',
      kind: 'llm',
      model: 'm/1',
      sessionId: 'session 1',
      startTime: new Date(startMs - 1000).toISOString(),
    },
  ]);
  app.clock.advance(1000);
  const human = await post({ traceId: 't1', evaluator: 'human', score: true, passed: true, comment: 'good' }, person);
  const ofSession = await post({ sessionId: 'session 1', evaluator: 'human', score: 3 }, person);
  app.clock.advance(1000);
  await post({ scoreId: 'again', traceId: 't1', evaluator: 'helpful', score: 0 }, key);
  const again = await post(
    { scoreId: 'again', traceId: 't1', evaluator: 'helpful', score: 4.75, model: 'm/1', passed: true },
    key,
  );
  await app.pipeline.drain();

  const { scores } = await get<{ scores: Body[] }>('traces/t1');
  expect(scores).toEqual([early, human, again]);
  expect(human).toMatchObject({ source: 'annotation', recordedBy: { type: 'user', name: 'Administrator' } });
  expect(early).toMatchObject({ source: 'api', recordedBy: { type: 'api_key', name: 'First key' } });
  expect((await get<{ scores: Body[] }>('sessions/session%201')).scores).toEqual([ofSession]);

  const { quality } = await get<{ quality: object }>('models/m%2F1');
  expect(quality).toMatchObject({
    hasData: true,
    overall: { eval_count: 3, avg_score: 2, pass_count: 2, fail_count: 1 },
    byEvaluator: [
      { evaluator_slug: 'helpful', eval_count: 2, avg_score: 2.5, pass_count: 1, fail_count: 1 },
      { evaluator_slug: 'human', eval_count: 1, avg_score: 1, pass_count: 1, fail_count: 0 },
    ],
  });
  // Scores of this route do not count against the quota: docs/semantics.md, "Event quota".
  expect(await get('ingest-health')).toMatchObject({ quota: { used: 1 } });
});
