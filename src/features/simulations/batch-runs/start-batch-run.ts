import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { actorName } from '../../../contract/actor.ts';
import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { simulationLimits } from '../../../contract/simulations.ts';
import type { BatchRun, BatchRunBody } from '../../../contract/simulations.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { createSimulatedRun, simulatedItems } from '../../datasets/index.ts';
import { evaluatorIdsOf, findScenario } from '../scenarios/scenario-record.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { ScenarioRow, SimulationsDb } from '../tables.ts';
import { getBatchRun } from './batch-run-record.ts';
import { batchRunPool } from './run-queue.ts';

/** UTF-16 units of the name of a dataset run. */
const maxRunName = 200;
/** Dataset items copied by one statement: a statement has 30 s. */
const copiedAtOnce = 5_000;
/** Bytes of the contents of all items. */
const maxContentBytes = 1_073_741_824;

/**
 * Queues a batch run of a scenario, with copies of the scenario and of the items of its dataset (docs/semantics.md, "Batch runs").
 *
 * Errors: `not_found` for the scenario; `invalid_request` for too many items; `conflict` while the project has too many queued runs.
 */
export async function startBatchRun(
  context: SimulationsContext,
  { projectId, actor }: Acting,
  { scenarioId, concurrency, label, repetitions }: BatchRunBody,
): Promise<BatchRun> {
  const { db, queue } = context;
  const id = uuidv7();
  await db.transaction().execute(async (transaction) => {
    const scenario = await findScenario(transaction, projectId, scenarioId);
    await refuseTooMany(transaction, projectId);
    const { runId, items } = await createSimulatedRun(transaction as unknown as Database, context.clock, {
      projectId,
      datasetId: scenario.dataset_id,
      name: label === null ? scenario.name : cutText(`${scenario.name} (${label})`, maxRunName),
      metadata: { batchRunId: id, scenarioId: scenario.id, scenario: scenario.name, label },
    });
    const total = items * repetitions;
    if (total > simulationLimits.items) throw tooManyItems(items, repetitions);
    const payload = {
      ...(await copyOf(transaction, scenario)),
      dataset_run_id: runId,
      label,
      concurrency,
      repetitions,
      total,
      created_by: actorName(actor),
      prompt_version: null,
    };
    await queue.enqueue(transaction, projectId, [{ id, pool: batchRunPool, payload }], { limit: Infinity });
    await copyItems(transaction, id, scenario.dataset_id, repetitions);
  });
  context.wake();
  return getBatchRun(context, projectId, id);
}

async function refuseTooMany(transaction: SimulationsDb, projectId: string): Promise<void> {
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

async function copyOf(transaction: SimulationsDb, scenario: ScenarioRow) {
  const evaluators = (await evaluatorIdsOf(transaction, [scenario.id])).get(scenario.id) ?? [];
  return {
    scenario_id: scenario.id,
    scenario_name: scenario.name,
    target: scenario.target,
    sealed_headers: scenario.sealed_headers,
    evaluators: JSON.stringify(evaluators),
    reference_match: scenario.reference_match,
    dataset_id: scenario.dataset_id,
  };
}

async function copyItems(transaction: SimulationsDb, runId: string, datasetId: string, repetitions: number): Promise<void> {
  let bytes = 0;
  for (let after = 0; ;) {
    const { rows } = await sql<{ place: number | null; bytes: number; copied: number }>`
      WITH next AS MATERIALIZED (
        SELECT * FROM (${simulatedItems(datasetId)}) AS items WHERE place > ${after} ORDER BY place LIMIT ${copiedAtOnce}
      ), inputs AS (
        INSERT INTO simulation_inputs (batch_run_id, place, input, expected_output, metadata)
        SELECT ${runId}::uuid, place, input, expected_output, metadata FROM next
      ), items AS (
        INSERT INTO simulation_items (batch_run_id, place, repetition, dataset_item_id, status)
        SELECT ${runId}::uuid, place, repetition, id, 'pending' FROM next, generate_series(1, ${repetitions}::int) AS repetition
      )
      SELECT max(place)::float8 AS place, count(*)::int AS copied,
        coalesce(sum(octet_length(input) + coalesce(octet_length(expected_output), 0) + octet_length(metadata)), 0)::float8 AS bytes
      FROM next`.execute(transaction);
    const [copied] = rows;
    bytes += copied?.bytes ?? 0;
    if (bytes > maxContentBytes)
      throw new ServiceError('invalid_request', 'The items of the dataset have more than 1 GiB; split the dataset.');
    if (!copied || copied.place === null || copied.copied < copiedAtOnce) return;
    after = copied.place;
  }
}

function tooManyItems(items: number, repetitions: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `A batch run sends at most ${simulationLimits.items} items, and ${items} items with ${repetitions} repetitions are more; repeat fewer times, or use a smaller dataset.`,
    { details: [{ path: '/repetitions', message: `makes more than ${simulationLimits.items} items` }] },
  );
}
