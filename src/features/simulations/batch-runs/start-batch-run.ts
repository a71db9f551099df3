import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { actorName } from '../../../contract/actor.ts';
import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { simulationLimits } from '../../../contract/simulations.ts';
import type { BatchRun, BatchRunBody } from '../../../contract/simulations.ts';
import { Pace } from '../../../platform/postgres/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { createSimulatedRun, lockSimulatedItems, simulatedItems } from '../../datasets/index.ts';
import { evaluatorIdsOf, findScenario } from '../scenarios/scenario-record.ts';
import { isPreparing } from '../shown-runs.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { ScenarioRow } from '../tables.ts';
import { getBatchRun } from './batch-run-record.ts';
import { removeRun } from './preparing-runs.ts';
import { batchRunPool } from './run-queue.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';

/** UTF-16 units of the name of a dataset run. */
const maxRunName = 200;
/** Items that one statement adds: others wait while it runs. */
const addedAtOnce = 1_000;
/** How long a run may take to be prepared, in milliseconds. After that it is deleted. */
const preparingMs = 10 * 60_000;
/** Bytes of the contents of all items. */
const maxContentBytes = 1_073_741_824;

/** A run whose items are being copied. */
interface Preparing {
  id: string;
  datasetId: string;
  /** The last place of the dataset's items: later ones are not of the run. */
  lastPlace: number;
  repetitions: number;
}

/**
 * Queues a batch run of a scenario, with copies of the scenario and of the items of its dataset (docs/semantics.md, "Batch runs"). The items are copied in
 * slices, between which the database serves others; the run is shown when all are there.
 *
 * Errors: `not_found` for the scenario; `invalid_request` for too many items; `conflict` while the project has too many queued runs.
 */
export async function startBatchRun(context: SimulationsContext, acting: Acting, body: BatchRunBody): Promise<BatchRun> {
  const { projectId } = acting;
  const { db } = context;
  const preparing = await beginRun(context, acting, body);
  try {
    const items = await copyItems(db, preparing);
    await showRun(context, projectId, preparing, items);
  } catch (error) {
    // Where this fails too, a job does it later.
    await removeRun(db, preparing.id).catch(() => undefined);
    throw error;
  }
  context.wake();
  return getBatchRun(context, projectId, preparing.id);
}

/** Stores a run that is not shown and not due. */
function beginRun(
  { db, queue, clock }: SimulationsContext,
  { projectId, actor }: Acting,
  { scenarioId, concurrency, label, repetitions }: BatchRunBody,
): Promise<Preparing> {
  const id = uuidv7();
  return db.transaction().execute(async (transaction) => {
    const scenario = await findScenario(transaction, projectId, scenarioId);
    await refuseTooMany(transaction, projectId);
    const { items, lastPlace } = await lockSimulatedItems(transaction, projectId, scenario.dataset_id);
    const total = items * repetitions;
    if (total > simulationLimits.items) throw tooManyItems(items, repetitions);
    const payload = {
      ...(await copyOf(transaction, scenario)),
      dataset_run_id: uuidv7(),
      label,
      concurrency,
      repetitions,
      total,
      created_by: actorName(actor),
      prompt_version: null,
    };
    await queue.enqueue(transaction, projectId, [{ id, pool: batchRunPool, payload }], { limit: Infinity });
    await sql`UPDATE simulation_batch_runs SET run_at = 'infinity', lease_until = ${new Date(clock.now() + preparingMs)}
      WHERE id = ${id}::uuid`.execute(transaction);
    return { id, datasetId: scenario.dataset_id, lastPlace, repetitions };
  });
}

/** Shows a run whose items are copied, and makes it due. Errors: `unavailable` when it was given up. */
function showRun(
  { db, clock }: SimulationsContext,
  projectId: string,
  { id, datasetId, repetitions }: Preparing,
  items: number,
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const now = new Date(clock.now());
    const shown = await transaction
      .updateTable('simulation_batch_runs')
      .set({ run_at: now, lease_until: null, total: items * repetitions })
      .where('id', '=', id)
      .where(isPreparing)
      .returning(['dataset_run_id', 'scenario_id', 'scenario_name', 'label'])
      .executeTakeFirst();
    if (!shown)
      throw new ServiceError('unavailable', 'The batch run took too long to start; start it again.', { retryAfterSeconds: 5 });
    const { dataset_run_id: runId, scenario_id: scenarioId, scenario_name: scenario, label } = shown;
    await createSimulatedRun(transaction, clock, {
      runId,
      projectId,
      datasetId,
      name: label === null ? scenario : cutText(`${scenario} (${label})`, maxRunName),
      metadata: { batchRunId: id, scenarioId, scenario, label },
    });
  });
}

async function refuseTooMany(transaction: Transaction, projectId: string): Promise<void> {
  // Serializes the checks of one project.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`batch-runs ${projectId}`}, 0))`.execute(transaction);
  const { queued } = await transaction
    .selectFrom('simulation_batch_runs')
    .select(({ fn }) => fn.countAll<number>().as('queued'))
    .where('project_id', '=', projectId)
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow();
  if (queued < simulationLimits.queued) return;
  throw new ServiceError(
    'conflict',
    `The project has ${simulationLimits.queued} batch runs in the queue; wait until one has started, or cancel one.`,
  );
}

async function copyOf(transaction: Transaction, scenario: ScenarioRow) {
  const evaluators = (await evaluatorIdsOf(transaction, [scenario.id])).get(scenario.id) ?? [];
  return {
    scenario_id: scenario.id,
    scenario_name: scenario.name,
    target: scenario.target,
    sealed_headers: scenario.sealed_headers,
    headers_sealed: scenario.headers_sealed,
    evaluators: JSON.stringify(evaluators),
    reference_match: scenario.reference_match,
    dataset_id: scenario.dataset_id,
  };
}

/** @returns how many items of the dataset were copied */
async function copyItems(db: Database, preparing: Preparing): Promise<number> {
  const { repetitions } = preparing;
  const pace = new Pace(addedAtOnce);
  let bytes = 0;
  let items = 0;
  for (let after = 0; ;) {
    const copied = await pace.slice((rows) => copySlice(db, preparing, after, Math.max(1, Math.floor(rows / repetitions))));
    bytes += copied.bytes;
    items += copied.copied;
    if (bytes > maxContentBytes)
      throw new ServiceError('invalid_request', 'The items of the dataset have more than 1 GiB; split the dataset.');
    if (copied.place === null) return items;
    after = copied.place;
  }
}

/** Copies the items after a place. @returns how many, with the last place; null when there are no more */
async function copySlice(
  db: Database,
  { id, datasetId, lastPlace, repetitions }: Preparing,
  after: number,
  most: number,
): Promise<{ place: number | null; bytes: number; copied: number }> {
  const { rows } = await sql<{ place: number | null; bytes: number; copied: number }>`
      WITH next AS MATERIALIZED (
        SELECT * FROM (${simulatedItems(datasetId)}) AS items WHERE place > ${after} AND place <= ${lastPlace}
        ORDER BY place LIMIT ${most}
      ), inputs AS (
        INSERT INTO simulation_inputs (batch_run_id, place, input, expected_output, metadata)
        SELECT ${id}::uuid, place, input, expected_output, metadata FROM next
      ), items AS (
        INSERT INTO simulation_items (batch_run_id, place, repetition, dataset_item_id, status)
        SELECT ${id}::uuid, place, repetition, id, 'pending' FROM next, generate_series(1, ${repetitions}::int) AS repetition
      )
      SELECT max(place)::float8 AS place, count(*)::int AS copied,
        coalesce(sum(octet_length(input) + coalesce(octet_length(expected_output), 0) + octet_length(metadata)), 0)::float8 AS bytes
      FROM next`.execute(db);
  return rows[0] ?? { place: null, bytes: 0, copied: 0 };
}

function tooManyItems(items: number, repetitions: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `A batch run sends at most ${simulationLimits.items} items, and ${items} items with ${repetitions} repetitions are more; repeat fewer times, or use a smaller dataset.`,
    { details: [{ path: '/repetitions', message: `makes more than ${simulationLimits.items} items` }] },
  );
}
