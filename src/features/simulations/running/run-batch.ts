import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { isUnavailable } from '../../../contract/errors.ts';
import { simulationLimits } from '../../../contract/simulations.ts';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import type { Turns } from '../../../platform/budgets/index.ts';
import { figuresOf } from '../batch-runs/batch-run-record.ts';
import { endItems, endItemsInSlices } from '../batch-runs/end-items.ts';
import type { BatchRunJob, BatchRunOutcome } from '../batch-runs/run-queue.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { BatchExecution } from './batch-execution.ts';
import { Impossible, prepareRun } from './prepare-run.ts';

/** The wait of a run beyond those that a project may run at the same time. */
const fullProjectMs = 1_000;
/** The wait while a store of the service does not answer. */
const unavailableMs = 10_000;
/** Milliseconds between two looks whether another process has cancelled the run. */
const watchMs = 500;

const ignored: BatchRunOutcome = { kind: 'retry', error: null, afterMs: 0, counts: false };

/**
 * Executes a batch run: sends its items that are not recorded yet, records their results, and computes its figures (docs/semantics.md, "Batch runs"). May
 * be interrupted at any point and repeated: an item whose answer is recorded is not sent again.
 *
 * @param lost aborts when this process no longer holds the run
 */
export async function runBatch(
  context: SimulationsContext,
  slots: Turns,
  job: BatchRunJob,
  lost: AbortSignal,
): Promise<BatchRunOutcome> {
  const { running } = context;
  if (running.stopping.aborted) return ignored;
  const { cancelled, leave } = running.enter(job.id);
  try {
    if (await isProjectFull(context, job)) return { kind: 'retry', error: null, afterMs: fullProjectMs, counts: false };
    if (await isCancelled(context, job)) return await ended(context, job, 'cancelled');
    const run = await prepareRun(context, job);
    await markStarted(context, job, run.prompt?.version ?? null);
    const execution = new BatchExecution(context, slots, run, job, { lost, stopping: running.stopping });
    const watched = watchCancellation(context, job, cancelled, lost);
    const cancel = () => execution.cancel();
    cancelled.signal.addEventListener('abort', cancel, { once: true });
    if (cancelled.signal.aborted) cancel();
    try {
      await execution.run();
    } finally {
      watched.end();
    }
    if (lost.aborted) return ignored;
    if (cancelled.signal.aborted) return await ended(context, job, 'cancelled');
    return execution.stopped ? ignored : await ended(context, job, 'completed');
  } catch (error) {
    return await failureOf(context, job, error);
  } finally {
    leave();
  }
}

async function failureOf(context: SimulationsContext, job: BatchRunJob, error: unknown): Promise<BatchRunOutcome> {
  // The queue ignores the outcome of a process that has lost the run.
  if (error instanceof LeaseLost) return ignored;
  if (error instanceof Impossible) return { ...(await ended(context, job, 'failed')), error: error.message };
  if (isUnavailable(error)) return { kind: 'retry', error: null, afterMs: unavailableMs, counts: false };
  throw error;
}

/** Ends every item that has not ended, and computes the figures. */
async function ended(
  { db }: SimulationsContext,
  { id, leaseId }: BatchRunJob,
  status: string,
): Promise<BatchRunOutcome & { kind: 'ended' }> {
  await endItemsInSlices(db, id, sql`lease_id = ${leaseId}::uuid AND status = 'running'`);
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql`SELECT id FROM simulation_batch_runs
      WHERE id = ${id}::uuid AND lease_id = ${leaseId}::uuid AND status = 'running' FOR SHARE`.execute(transaction);
    if (rows.length === 0) throw new LeaseLost();
    await endItems(transaction, id);
  });
  return { kind: 'ended', status, results: { ...(await figuresOf(db, id)) } };
}

/** Processes do not count each other's runs when they claim: those beyond the limit wait. */
async function isProjectFull({ db }: SimulationsContext, { id, projectId }: BatchRunJob): Promise<boolean> {
  const { rows } = await sql<{ before: number }>`SELECT count(*)::int AS before FROM simulation_batch_runs AS run
    WHERE project_id = ${projectId}::uuid AND status = 'running'
      AND (started_at, id) < (SELECT started_at, id FROM simulation_batch_runs WHERE id = ${id}::uuid)`.execute(db);
  return (rows[0]?.before ?? 0) >= simulationLimits.running;
}

async function isCancelled({ db }: SimulationsContext, { id }: BatchRunJob): Promise<boolean> {
  const { rows } = await sql<{ cancelled: boolean }>`SELECT cancelled_at IS NOT NULL AS cancelled FROM simulation_batch_runs
    WHERE id = ${id}::uuid`.execute(db);
  return rows[0]?.cancelled === true;
}

async function markStarted(
  { db, clock }: SimulationsContext,
  { id, leaseId }: BatchRunJob,
  promptVersion: number | null,
): Promise<void> {
  const { numAffectedRows } = await sql`UPDATE simulation_batch_runs
    SET first_started_at = coalesce(first_started_at, ${new Date(clock.now()).toISOString()}::timestamptz),
      prompt_version = coalesce(prompt_version, ${promptVersion}::int)
    WHERE id = ${id}::uuid AND lease_id = ${leaseId}::uuid AND status = 'running'`.execute(db);
  if (numAffectedRows !== 1n) throw new LeaseLost();
}

/** Looks for a cancellation by another process. */
function watchCancellation(
  context: SimulationsContext,
  job: BatchRunJob,
  cancelled: AbortController,
  lost: AbortSignal,
): { end(): void } {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, lost, cancelled.signal]);
  void (async () => {
    while (!signal.aborted) {
      await wait(watchMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      // The next look repeats one that failed.
      if (await isCancelled(context, job).catch(() => false)) cancelled.abort();
    }
  })();
  return { end: () => ending.abort() };
}
