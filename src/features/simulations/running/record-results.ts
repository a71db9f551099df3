import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import { cutText, storableText } from '../../../platform/text/index.ts';
import { addingSimulatedItems, keepSimulatedItems, largestScore, runItemIds, saveRunScores } from '../../datasets/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { BatchRunJob } from '../batch-runs/run-queue.ts';
import type { ItemResult } from './item-result.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';

const maxErrorLength = 20_000;
const bytesOfId = 16;
/** The repetition that the dataset run shows. */
const shownRepetition = 1;

type RecordContext = Pick<SimulationsContext, 'db' | 'clock' | 'pipeline'>;

/**
 * Stores results of a run: first the traces, and then atomically the items, their dataset run items and the scores of these, unless another process holds
 * the run. Repeating it changes nothing.
 *
 * Errors: {@link LeaseLost}; `unavailable`.
 */
export async function recordResults(
  context: RecordContext,
  run: PreparedRun,
  job: BatchRunJob,
  results: readonly ItemResult[],
): Promise<void> {
  const { leaseId } = job;
  const { db, pipeline } = context;
  const spans = results.flatMap(({ answer }) => answer?.spans ?? []);
  if (spans.length > 0)
    await pipeline.accept({ projectId: run.projectId, organizationId: run.organizationId }, { spans, scores: [] }, 0);
  const scored = results.filter(({ item, scores }) => item.repetition === shownRepetition && scores.length > 0);
  const attempts = await db.transaction().execute(async (transaction) => {
    await keepSimulatedItems(transaction, run.datasetId);
    const held = await storeItems(context, transaction, run, leaseId, results);
    if (scored.length > 0) await addScores(context, transaction, run, scored);
    return held;
  });
  // An attempt that records something is not counted as one without progress: the queue decides by the job, and stores what it says.
  job.attempts = 1;
  if (attempts > 1)
    await sql`UPDATE simulation_batch_runs SET attempts = 1
      WHERE id = ${run.id}::uuid AND lease_id = ${leaseId}::uuid AND status = 'running'`.execute(db);
}

/**
 * One statement, in a transaction that keeps the items of the dataset: each has a cost of its own, that of some 50 results. The items are found by their key through ON CONFLICT, whatever the
 * planner believes; none is inserted.
 *
 * @returns attempts of the run. Errors: {@link LeaseLost}
 */
async function storeItems(
  { clock }: RecordContext,
  db: Database,
  run: PreparedRun,
  leaseId: string,
  results: readonly ItemResult[],
): Promise<number> {
  const shown = sql`SELECT run_item AS id, item AS dataset_item_id, trace AS trace_id, output, latency AS latency_ms, cost AS cost_usd, run_error AS error
    FROM new WHERE run_item IS NOT NULL`;
  const { rows } = await sql<{ attempts: number }>`
    WITH held AS MATERIALIZED (
      SELECT attempts FROM simulation_batch_runs
      WHERE id = ${run.id}::uuid AND lease_id = ${leaseId}::uuid AND status = 'running' FOR SHARE
    ), new AS MATERIALIZED (
      SELECT given.* FROM held, json_to_recordset(${recordsOf(results, clock.now())}::json) AS given (
        place bigint, repetition int, item uuid, status text, error text, kind text, matched bool, scores text,
        answered bool, output text, latency float8, cost float8, cost_status text, trace text, run_item uuid, run_error text)
    ), ended AS (
      INSERT INTO simulation_items AS item (batch_run_id, place, repetition, dataset_item_id, status, answered, output, error, error_kind,
        latency_ms, cost_usd, cost_status, trace_id, reference_match, scores)
      SELECT ${run.id}::uuid, place, repetition, item, status, answered, output, error, kind, latency, cost, cost_status, trace,
        matched, scores FROM new
      ON CONFLICT (batch_run_id, place, repetition) DO UPDATE SET
        status = excluded.status, answered = true, error = excluded.error, error_kind = excluded.error_kind,
        reference_match = excluded.reference_match, scores = excluded.scores,
        output = CASE WHEN excluded.answered THEN excluded.output ELSE item.output END,
        latency_ms = CASE WHEN excluded.answered THEN excluded.latency_ms ELSE item.latency_ms END,
        cost_usd = CASE WHEN excluded.answered THEN excluded.cost_usd ELSE item.cost_usd END,
        cost_status = CASE WHEN excluded.answered THEN excluded.cost_status ELSE item.cost_status END,
        trace_id = CASE WHEN excluded.answered THEN excluded.trace_id ELSE item.trace_id END
      WHERE item.status = 'pending'
    ), ${addingSimulatedItems(clock, run.datasetRunId, shown)}
    SELECT attempts FROM held`.execute(db);
  const [held] = rows;
  if (!held) throw new LeaseLost();
  return held.attempts;
}

/** The records of results as a JSON array. */
function recordsOf(results: readonly ItemResult[], nowMs: number): string {
  // At once: the system call for the randomness of one id takes longer than the rest of its item.
  const random = randomBytes(bytesOfId * results.length);
  const idOf = (seq: number) => uuidv7({ msecs: nowMs, seq, random: random.subarray(bytesOfId * seq, bytesOfId * (seq + 1)) });
  return JSON.stringify(results.map((result, index) => recordOf(result, idOf(index))));
}

/** Members that are left out are NULL. @param runItemId id of the dataset run item, if it gets one */
function recordOf({ item, status, answer, error, errorKind, referenceMatch, scores }: ItemResult, runItemId: string): object {
  const message = error === null ? undefined : storableText(cutText(error, maxErrorLength));
  return {
    place: item.place,
    repetition: item.repetition,
    item: item.datasetItemId,
    status,
    error: message,
    kind: errorKind ?? undefined,
    matched: referenceMatch ?? undefined,
    scores: scores.length === 0 ? undefined : JSON.stringify(scores),
    answered: answer !== null,
    ...(answer !== null && {
      output: answer.output ?? undefined,
      latency: answer.latencyMs ?? undefined,
      cost: answer.costUsd ?? undefined,
      cost_status: answer.costStatus ?? undefined,
      trace: answer.spans[0]?.traceId,
      run_item: item.repetition === shownRepetition ? runItemId : undefined,
      // A failed evaluator is no failure of the application.
      run_error: message === undefined || errorKind === 'evaluator' ? undefined : JSON.stringify(message),
    }),
  };
}

async function addScores(
  { clock }: RecordContext,
  transaction: Transaction,
  run: PreparedRun,
  scored: readonly ItemResult[],
): Promise<void> {
  const ids = await runItemIds(
    transaction,
    run.datasetRunId,
    scored.map(({ item }) => item.datasetItemId),
  );
  const scores = scored.flatMap(({ item, scores: given }) => {
    const runItemId = ids.get(item.datasetItemId);
    return runItemId === undefined ? [] : given.map((score) => ({ runItemId, ...score }));
  });
  await saveRunScores(
    transaction,
    clock,
    scores.filter(({ score }) => Math.abs(score) <= largestScore),
  );
}
