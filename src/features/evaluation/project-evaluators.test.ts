import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEvaluationApp } from '../../../test/support/evaluation.ts';
import type { EvaluationApp } from '../../../test/support/evaluation.ts';
import { ProjectEvaluators } from './project-evaluators.ts';

let app: EvaluationApp;
let queries = 0;
let away = false;

beforeAll(async () => {
  app = await startEvaluationApp(Date.UTC(2026, 10, 21, 13));
});
afterAll(() => app.close());

/** Counts queries, and fails them while the database is unreachable. */
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (away) throw new Error('away');
    queries += 1;
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

/** The cache of another replica. */
function elsewhere(): ProjectEvaluators {
  return new ProjectEvaluators(app.evaluation.context.db.withPlugin(counting), app.clock);
}

test('reads the database once in five seconds, also for concurrent calls and projects without evaluators', async () => {
  const evaluators = elsewhere();
  queries = 0;
  await Promise.all([evaluators.of(app.projectId), evaluators.of(app.projectId), evaluators.of(app.projectId)]);
  const asked = queries;
  expect((await evaluators.of(app.projectId))?.evaluators).toEqual([]);
  app.clock.advance(4_999);
  await evaluators.of(app.projectId);
  expect(queries).toBe(asked);
  await app.evaluator({ slug: 'new', type: 'exact' });
  app.clock.advance(1);
  expect((await evaluators.of(app.projectId))?.evaluators).toMatchObject([{ slug: 'new' }]);
});

test('returns null for an unknown project', async () => {
  expect(await elsewhere().of('0197a000-0000-7000-8000-000000000009')).toBeNull();
});

test('keeps the last thresholds while the database does not answer', async () => {
  const evaluators = elsewhere();
  await app.call('PATCH', '/evaluators/new', { passThreshold: 0.5 });
  expect(await evaluators.passThresholds(app.projectId)).toEqual(new Map([['new', 0.5]]));
  app.clock.advance(60_000);
  away = true;
  expect(await evaluators.passThresholds(app.projectId)).toEqual(new Map([['new', 0.5]]));
  expect(await elsewhere().passThresholds(app.projectId)).toEqual(new Map());
  away = false;
  await app.call('PATCH', '/evaluators/new', { passThreshold: 0.75 });
  expect(await evaluators.passThresholds(app.projectId)).toEqual(new Map([['new', 0.75]]));
});
