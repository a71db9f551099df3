import { sql } from 'kysely';
import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Scenario, ScenarioTarget } from '../../../contract/simulations.ts';
import type { BatchRunStatus } from '../../../contract/kinds.ts';
import { isUniqueViolation } from '../../../platform/postgres/index.ts';
import { lockEvaluatorsNamed, slugsOfEvaluators } from '../../evaluation/index.ts';
import { isShown } from '../shown-runs.ts';
import type { ScenarioRow } from '../tables.ts';
import { shownTarget } from './target-secrets.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';

/** A stored scenario. Errors: `not_found`, also for one of another project. */
export async function findScenario(db: Database | Transaction, projectId: string, scenarioId: string): Promise<ScenarioRow> {
  const row = await db
    .selectFrom('simulation_scenarios')
    .selectAll()
    .where('id', '=', uuidOrNull(scenarioId))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', 'There is no such scenario in this project; list the scenarios to see which there are.');
}

/** Scenarios as the API returns them. */
export async function recordsOf(db: Database, rows: readonly ScenarioRow[]): Promise<Scenario[]> {
  const evaluators = await evaluatorIdsOf(
    db,
    rows.map(({ id }) => id),
  );
  const slugs = await slugsOfEvaluators(db, [...new Set([...evaluators.values()].flat())]);
  const newest = await newestRunsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    target: targetOf(row),
    datasetId: row.dataset_id,
    evaluators: (evaluators.get(row.id) ?? []).flatMap((id) => slugs.get(id) ?? []),
    referenceMatch: row.reference_match === null ? null : { mode: row.reference_match },
    newestRun: newest.get(row.id) ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}

/** The newest batch run of each scenario that has one: a look-up in an index for each, however many runs there are. */
async function newestRunsOf(
  db: Database,
  scenarioIds: readonly string[],
): Promise<Map<string, NonNullable<Scenario['newestRun']>>> {
  const { rows } = await sql<{ scenario: string; id: string; status: BatchRunStatus; created_at: Date }>`
    SELECT scenario, run.id, run.status, run.created_at FROM unnest(${[...scenarioIds]}::uuid[]) AS scenario, LATERAL (
      SELECT id, status, created_at FROM simulation_batch_runs WHERE scenario_id = scenario AND ${isShown}
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS run`.execute(db);
  return new Map(
    rows.map(({ scenario, id, status, created_at }) => [scenario, { id, status, createdAt: created_at.toISOString() }]),
  );
}

/** The stored target, with `***` for its secrets. */
export function targetOf({ target }: Pick<ScenarioRow, 'target'>): ScenarioTarget {
  return shownTarget(target);
}

/** Ids of the evaluators of scenarios, in their order. */
export async function evaluatorIdsOf(db: Database, scenarioIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('simulation_scenario_evaluators')
    .select(['scenario_id', 'evaluator_id'])
    .where('scenario_id', '=', sql<string>`ANY(${[...scenarioIds]}::uuid[])`)
    .orderBy('scenario_id')
    .orderBy('position')
    .execute();
  const ids = new Map<string, string[]>();
  for (const { scenario_id: scenarioId, evaluator_id: id } of rows) ids.set(scenarioId, [...(ids.get(scenarioId) ?? []), id]);
  return ids;
}

/**
 * Ids of evaluators by slug, which are not deleted before the transaction ends.
 *
 * Errors: `invalid_request` that names the unknown ones.
 */
export async function evaluatorIdsNamed(
  transaction: Transaction,
  projectId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await lockEvaluatorsNamed(transaction, projectId, slugs.filter(isStorable));
  const ids = new Map(found.map(({ id, slug }) => [slug, id]));
  const unknown = slugs.filter((slug) => !ids.has(slug));
  if (unknown.length > 0)
    throw new ServiceError(
      'invalid_request',
      `The project has no evaluator ${unknown.join(', ')}; create it, or correct the slug.`,
      {
        details: unknown.map((slug) => ({
          path: `/evaluators/${slugs.indexOf(slug)}`,
          message: 'is no evaluator of this project',
        })),
      },
    );
  return ids;
}

/** Sets the evaluators of a scenario. Errors: `invalid_request` that names the unknown ones. */
export async function setEvaluators(
  transaction: Transaction,
  { projectId, scenarioId }: { projectId: string; scenarioId: string },
  slugs: readonly string[],
): Promise<void> {
  const ids = await evaluatorIdsNamed(transaction, projectId, slugs);
  await transaction.deleteFrom('simulation_scenario_evaluators').where('scenario_id', '=', scenarioId).execute();
  const rows = slugs.flatMap((slug, position) => {
    const id = ids.get(slug);
    return id === undefined ? [] : [{ scenario_id: scenarioId, evaluator_id: id, position }];
  });
  if (rows.length > 0) await transaction.insertInto('simulation_scenario_evaluators').values(rows).execute();
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Runs a write; throws `conflict` where another scenario of the project has the name. */
export async function underFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'simulation_scenarios_name')) throw error;
    throw new ServiceError('conflict', 'The project has a scenario of this name already; choose another name.', {
      details: [{ path: '/name', message: 'is taken' }],
      cause: error,
    });
  }
}

/** Names of the scenarios that use a dataset, sorted. */
export async function scenariosOfDataset(transaction: Transaction, datasetId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM simulation_scenarios
    WHERE dataset_id = ${datasetId}::uuid ORDER BY name COLLATE "C" LIMIT 200`.execute(transaction);
  return rows.map(({ name }) => name);
}

/** Names of the scenarios that use an evaluator, sorted. */
export async function scenariosOfEvaluator(
  transaction: Parameters<typeof slugsOfEvaluators>[0],
  evaluatorId: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT s.name FROM simulation_scenarios s
    JOIN simulation_scenario_evaluators e ON e.scenario_id = s.id
    WHERE e.evaluator_id = ${evaluatorId}::uuid ORDER BY s.name COLLATE "C" LIMIT 200`.execute(transaction);
  return rows.map(({ name }) => name);
}
