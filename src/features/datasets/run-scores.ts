import { sql } from 'kysely';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { DatasetsDb } from './tables.ts';

/** Largest score in either direction: sums of them stay numbers. */
const largestScore = 1e15;
/** Rows of one INSERT. */
const batch = 1000;

/** A run item with all that an evaluator looks at. */
export interface RunItemForEvaluation {
  id: string;
  projectId: string;
  datasetId: string;
  runId: string;
  input: unknown;
  /** undefined: the dataset item has none. */
  expectedOutput: unknown;
  /** undefined: the run gave none; its trace may have one. */
  output: unknown;
  /** Milliseconds, as the run gave it; null when it did not: its trace may say. */
  latencyMs: number | null;
  /** US dollars, likewise. */
  costUsd: number | null;
  /** What went wrong; null when nothing did. */
  error: string | null;
  traceId: string | null;
}

/** The score that an evaluator gives a run item. */
export interface RunItemScore {
  runItemId: string;
  /** The evaluator's slug. */
  evaluator: string;
  score: number;
  passed: boolean | null;
  comment: string | null;
}

/**
 * Run items by id, for their evaluation; those that are gone (deleted, or replaced) are left out. Their contents lie in memory whole: ask
 * for few at once.
 */
export async function readRunItems(database: Database, ids: readonly string[]): Promise<RunItemForEvaluation[]> {
  const db = database as unknown as DatasetsDb;
  const rows = await db
    .selectFrom('dataset_run_items as r')
    .innerJoin('dataset_items as i', 'i.id', 'r.dataset_item_id')
    .innerJoin('datasets as d', 'd.id', 'i.dataset_id')
    .select(['r.id', 'd.project_id', 'd.id as dataset_id', 'r.run_id', 'i.input', 'i.expected_output'])
    .select(['r.output', 'r.latency_ms', 'r.cost_usd', 'r.error', 'r.trace_id'])
    .where('r.id', '=', sql<string>`ANY(${[...ids]}::uuid[])`)
    .orderBy('i.place')
    .execute();
  return rows.map((row) => {
    const error: unknown = parsed(row.error);
    return {
      id: row.id,
      projectId: row.project_id,
      datasetId: row.dataset_id,
      runId: row.run_id,
      input: parsed(row.input),
      expectedOutput: parsed(row.expected_output),
      output: parsed(row.output),
      latencyMs: row.latency_ms,
      costUsd: row.cost_usd,
      error:
        error === undefined || error === false ? null : typeof error === 'string' ? error : 'The run says that this item failed.',
      traceId: row.trace_id,
    };
  });
}

/** Where run items are found, by id; those that are gone or of another project are left out. */
export function placesOfRunItems(database: Database, projectId: string, ids: readonly string[]) {
  return (database as unknown as DatasetsDb)
    .selectFrom('dataset_run_items as r')
    .innerJoin('dataset_runs as run', 'run.id', 'r.run_id')
    .innerJoin('datasets as d', 'd.id', 'run.dataset_id')
    .select(['r.id', 'd.id as datasetId', 'r.run_id as runId', 'r.dataset_item_id as datasetItemId'])
    .where('r.id', '=', sql<string>`ANY(${[...ids]}::uuid[])`)
    .where('d.project_id', '=', projectId)
    .execute();
}

function parsed(json: string | null): unknown {
  return json === null ? undefined : JSON.parse(json);
}

/**
 * Stores scores of run items, each in the place of the one that its evaluator gave before; those of items that are gone are left out.
 * `database` may be a transaction.
 *
 * Errors: RangeError for a score that is no number up to 10^15.
 */
export async function saveRunScores(database: Database, clock: Clock, scores: readonly RunItemScore[]): Promise<void> {
  for (const { score } of scores) {
    if (!(Math.abs(score) <= largestScore)) throw new RangeError(`the score ${score} is no number up to ${largestScore}`);
  }
  const db = database as unknown as DatasetsDb;
  if (scores.length === 0) return;
  if (db.isTransaction) await save(db, clock, scores);
  else await db.transaction().execute((transaction) => save(transaction, clock, scores));
}

async function save(db: DatasetsDb, clock: Clock, scores: readonly RunItemScore[]): Promise<void> {
  const ids = scores.map(({ runItemId }) => runItemId);
  // The order in which all writers lock: dataset, run, run items. Nobody deletes the items from here on.
  const { rows: runs } = await sql<{ id: string; dataset_id: string }>`
    SELECT id, dataset_id FROM dataset_runs WHERE id IN (SELECT run_id FROM dataset_run_items WHERE id = ANY(${ids}::uuid[]))`.execute(
    db,
  );
  const runIds = runs.map(({ id }) => id);
  const datasetIds = runs.map(({ dataset_id: id }) => id);
  await sql`SELECT id FROM datasets WHERE id = ANY(${datasetIds}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(db);
  await sql`SELECT id FROM dataset_runs WHERE id = ANY(${runIds}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(db);
  const { rows: there } = await sql<{ id: string }>`
    SELECT id FROM dataset_run_items WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(db);
  const known = new Set(there.map(({ id }) => id));
  // The last one counts, since one statement cannot write a row twice; in one order, so that two writers cannot wait for each other.
  const last = new Map(scores.map((score) => [`${score.runItemId.toLowerCase()} ${score.evaluator}`, score]));
  const rows = [...last]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .filter(([, { runItemId }]) => known.has(runItemId.toLowerCase()))
    .map(([, { runItemId, evaluator, score, passed, comment }]) => ({
      run_item_id: runItemId,
      evaluator,
      score,
      passed,
      // PostgreSQL takes no NUL.
      comment: comment?.replaceAll('\0', '\u{fffd}') ?? null,
      scored_at: new Date(clock.now()),
    }));
  for (let start = 0; start < rows.length; start += batch) {
    await db
      .insertInto('dataset_run_scores')
      .values(rows.slice(start, start + batch))
      .onConflict((conflict) =>
        conflict.columns(['run_item_id', 'evaluator']).doUpdateSet(({ ref }) => ({
          score: ref('excluded.score'),
          passed: ref('excluded.passed'),
          comment: ref('excluded.comment'),
          scored_at: ref('excluded.scored_at'),
        })),
      )
      .execute();
  }
}

/**
 * Deletes the scores that evaluators gave to run items by what a trace said, which has been deleted: it leaves every figure. An item with an output of
 * its own keeps its scores.
 */
export async function forgetScoresOfTrace(database: Database, projectId: string, traceId: string): Promise<void> {
  await sql`DELETE FROM dataset_run_scores WHERE run_item_id IN (
    SELECT i.id FROM dataset_run_items i JOIN dataset_runs r ON r.id = i.run_id JOIN datasets d ON d.id = r.dataset_id
    WHERE i.trace_id = ${traceId} AND i.output IS NULL AND d.project_id = ${projectId})`.execute(database);
}
