import { sql } from 'kysely';
import type { Clock } from '../../platform/clock/clock.ts';
import { storableText } from '../../platform/text/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Maximum absolute value of a score, so that sums stay finite. */
export const largestScore = 1e15;
/** Rows in one INSERT. */
const batch = 1000;

/** A run item with the fields that evaluators read. */
export interface RunItemForEvaluation {
  id: string;
  projectId: string;
  datasetId: string;
  runId: string;
  input: unknown;
  /** undefined when the dataset item has none. */
  expectedOutput: unknown;
  /** undefined when the run gave none; the trace may have one. */
  output: unknown;
  /** Milliseconds, as given by the run; null when omitted, and the trace may have it. */
  latencyMs: number | null;
  /** US dollars, as given by the run; null when omitted. */
  costUsd: number | null;
  /** The error; null for success. */
  error: string | null;
  traceId: string | null;
}

/** A score of a run item by an evaluator. */
export interface RunItemScore {
  runItemId: string;
  /** The evaluator's slug. */
  evaluator: string;
  score: number;
  passed: boolean | null;
  comment: string | null;
}

/**
 * Run items by id, for evaluation, without those deleted or replaced. The contents are in memory completely: request few at once.
 *
 * @param payloads whether input, expected output and output are read
 */
export async function readRunItems(db: Database, ids: readonly string[], payloads = true): Promise<RunItemForEvaluation[]> {
  const rows = await db
    .selectFrom('dataset_run_items as r')
    .innerJoin('dataset_items as i', 'i.id', 'r.dataset_item_id')
    .innerJoin('datasets as d', 'd.id', 'i.dataset_id')
    .select(['r.id', 'd.project_id', 'd.id as dataset_id', 'r.run_id'])
    .select([
      sql<string | null>`CASE WHEN ${payloads}::boolean THEN i.input END`.as('input'),
      sql<string | null>`CASE WHEN ${payloads}::boolean THEN i.expected_output END`.as('expected_output'),
      sql<string | null>`CASE WHEN ${payloads}::boolean THEN r.output END`.as('output'),
    ])
    .select(['r.latency_ms', 'r.cost_usd', 'r.error', 'r.trace_id'])
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

/** The dataset and run of run items by id, without deleted ones and those of other projects. */
export function placesOfRunItems(db: Database, projectId: string, ids: readonly string[]) {
  return db
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
 * Stores scores of run items; each replaces the earlier one of its evaluator. Scores of deleted run items are dropped.
 * `db` may be a transaction.
 *
 * Errors: RangeError for a score that is not a number or exceeds 10^15 in absolute value.
 */
export async function saveRunScores(db: Database, clock: Clock, scores: readonly RunItemScore[]): Promise<void> {
  for (const { score } of scores) {
    if (!(Math.abs(score) <= largestScore)) throw new RangeError(`the score ${score} is no number up to ${largestScore}`);
  }
  if (scores.length === 0) return;
  if (db.isTransaction) await save(db, clock, scores);
  else await db.transaction().execute((transaction) => save(transaction, clock, scores));
}

async function save(db: Database, clock: Clock, scores: readonly RunItemScore[]): Promise<void> {
  const ids = scores.map(({ runItemId }) => runItemId);
  // Lock order of all writers: dataset, run, run items. The run items cannot be deleted after this.
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
  // Keep the last of duplicates, since one statement cannot write a row twice; sort, so that two writers cannot deadlock.
  const last = new Map(scores.map((score) => [`${score.runItemId.toLowerCase()} ${score.evaluator}`, score]));
  const rows = [...last]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .filter(([, { runItemId }]) => known.has(runItemId.toLowerCase()))
    .map(([, { runItemId, evaluator, score, passed, comment }]) => ({
      run_item_id: runItemId,
      evaluator,
      score,
      passed,
      comment: comment === null || comment === undefined ? null : storableText(comment),
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
 * Deletes the scores of run items whose output came from traces that were deleted, so that the traces leave every figure. A run item with
 * an output of its own keeps its scores.
 */
export async function forgetScoresOfTraces(db: Database, projectId: string, traceIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM dataset_run_scores WHERE run_item_id IN (
    SELECT i.id FROM dataset_run_items i JOIN dataset_runs r ON r.id = i.run_id JOIN datasets d ON d.id = r.dataset_id
    WHERE i.trace_id = ANY(${[...traceIds]}::text[]) AND i.output IS NULL AND d.project_id = ${projectId})`.execute(db);
}

/** The port through which evaluation reads and scores run items. */
export function runItemsOf({ postgres: { db }, clock }: { postgres: { db: Database }; clock: Clock }) {
  return {
    read: (ids: readonly string[], payloads?: boolean) => readRunItems(db, ids, payloads),
    places: (projectId: string, ids: readonly string[]) => placesOfRunItems(db, projectId, ids),
    save: (scores: readonly RunItemScore[]) => saveRunScores(db, clock, scores),
  };
}
