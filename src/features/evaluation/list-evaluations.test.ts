import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEvaluationApp } from '../../../test/support/evaluation.ts';
import type { EvaluationApp } from '../../../test/support/evaluation.ts';
import { evaluationsSelect } from './list-evaluations.ts';

const nowMs = Date.UTC(2026, 10, 21, 13);
const rareId = '0197a000-0000-7000-8000-000000000000';
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(nowMs);
  const { db } = app.evaluation.context;
  // Of 20,000 runs every hundredth, among the oldest half, is by the evaluator that is asked for.
  await sql`INSERT INTO evaluations
      (id, project_id, evaluator_id, evaluator, lane, target_type, score_id, status, run_at, created_at, finished_at)
    SELECT gen_random_uuid(), ${app.projectId}::uuid, CASE WHEN rare THEN ${rareId}::uuid ELSE gen_random_uuid() END,
      CASE WHEN rare THEN 'rare' ELSE 'frequent' END, 'quick', 'session', gen_random_uuid(), 'completed', at, at, at
    FROM (
      SELECT n >= 10000 AND n % 100 = 0 AS rare, ${new Date(nowMs).toISOString()}::timestamptz - n * interval '1 second' AS at
      FROM generate_series(0, 19999) AS n
    ) AS runs`.execute(db);
  await sql`ANALYZE evaluations`.execute(db);
});
afterAll(() => app.close());

test.each([
  ['rare', 'evaluations_of_slug'],
  [rareId, 'evaluations_of_evaluator'],
])('the runs of evaluator %s are found in the order of the index %s', async (evaluator, index) => {
  const { db } = app.evaluation.context;
  const select = evaluationsSelect(db, { projectId: app.projectId, oldestMs: 0 }, { evaluator, limit: 50 });
  const plan = (await select.explain('text')).map((line) => Object.values(line).join(' ')).join('\n');
  expect(plan).toContain(`using ${index}`);
  expect(plan).not.toMatch(/Seq Scan|Sort/);
  const rows = await select.execute();
  expect(rows).toHaveLength(51);
  expect(rows.every((row) => row.evaluator === 'rare')).toBe(true);
  expect(await app.evaluations(`?evaluator=${evaluator.toUpperCase()}&limit=1`)).toHaveLength(evaluator === rareId ? 1 : 0);
});
