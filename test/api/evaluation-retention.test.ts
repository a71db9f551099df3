import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpiredEvaluations } from '../../src/features/evaluation/delete-expired-evaluations.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';
import { dayMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

test('runs of evaluators are deleted at the retention edge, and beyond the maximum of a project', async () => {
  await app.evaluator({ slug: 'kept', type: 'contains', config: { value: 'a' }, target: 'span' });
  await app.evaluator({ slug: 'session', type: 'contains', config: { value: 'a' }, target: 'session' });
  await app.sendAndRun([app.span({ traceId: 'old', spanId: 's', sessionId: 'old' })]);
  app.clock.advance(dayMs);
  await app.evaluation.completeSessions();
  await app.sendAndRun(['a', 'b', 'c'].map((spanId) => app.span({ traceId: 'new', spanId })));
  const left = async () => (await app.evaluations()).length;
  expect(await left()).toBe(5);

  const projects = [{ projectId: app.projectId, plan: 'free' as const }];
  app.clock.set(startMs + 14 * dayMs);
  await app.evaluation.deleteExpired(projects);
  expect(await left()).toBe(5);
  app.clock.advance(1);
  await app.evaluation.deleteExpired(projects);
  expect(await left()).toBe(4);
  const { db } = app.evaluation.context;
  expect(await db.selectFrom('evaluation_sessions').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('session_completions').selectAll().execute()).toEqual([]);

  await deleteExpiredEvaluations(app.evaluation.context, projects, undefined, 3);
  expect(await left()).toBe(3);
});
