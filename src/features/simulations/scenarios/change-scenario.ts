import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Scenario, ScenarioChange } from '../../../contract/simulations.ts';
import { lockDataset, requireDataset } from '../../datasets/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { ScenarioRow } from '../tables.ts';
import { checkPlaceholders, checkTarget } from './check-target.ts';
import { recordScenarioChange } from './record-scenario.ts';
import { evaluatorIdsOf, findScenario, recordsOf, setEvaluators, underFreeName } from './scenario-record.ts';
import { sealSecrets, separateSecrets, storedTarget } from './target-secrets.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/**
 * Changes the given fields of a scenario; a target is replaced whole. Runs that were started keep the scenario as it was.
 *
 * Errors: as {@link createScenario}; `not_found`; `invalid_request` for a secret header that must be given anew.
 */
export async function changeScenario(
  context: SimulationsContext,
  acting: Acting,
  scenarioId: string,
  change: ScenarioChange,
): Promise<Scenario> {
  const { db, clock } = context;
  const { projectId } = acting;
  await findScenario(db, projectId, scenarioId);
  const { datasetId } = change;
  if (datasetId !== undefined) await requireDataset(db, projectId, datasetId);
  if (change.target) await checkTarget(context, change.target, null);
  const changed = await underFreeName(() =>
    db.transaction().execute(async (transaction) => {
      // Lock order of all writers: dataset, scenario.
      if (datasetId !== undefined) await lockDataset(transaction, projectId, datasetId);
      const before = await transaction
        .selectFrom('simulation_scenarios')
        .selectAll()
        .where('id', '=', scenarioId)
        .forUpdate()
        .executeTakeFirst();
      if (!before) throw new ServiceError('not_found', 'The scenario has just been deleted; create it again.');
      const after = await transaction
        .updateTable('simulation_scenarios')
        .set({ ...changedColumns(context, before, change), updated_at: new Date(clock.now()) })
        .where('id', '=', scenarioId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const fields = fieldsThatChanged(before, after, change);
      if (change.evaluators && (await replaceEvaluators(transaction, before, change.evaluators))) fields.push('evaluators');
      await recordScenarioChange(transaction, clock, acting, after, fields);
      return after;
    }),
  );
  const [record] = await recordsOf(db, [changed]);
  if (!record) throw new Error('the scenario has no record');
  return record;
}

function changedColumns({ box }: SimulationsContext, before: ScenarioRow, change: ScenarioChange): Partial<ScenarioRow> {
  const columns: Partial<ScenarioRow> = {};
  if (change.name !== undefined) columns.name = change.name;
  if (change.description !== undefined) columns.description = change.description;
  if (change.datasetId !== undefined) columns.dataset_id = change.datasetId;
  if (change.referenceMatch !== undefined) columns.reference_match = change.referenceMatch?.mode ?? null;
  if (change.target) {
    const { shown, secrets } = separateSecrets(change.target, storedTarget(box, before));
    checkPlaceholders(shown, secrets);
    columns.target = JSON.stringify(shown);
    columns.sealed_headers = sealSecrets(box, secrets, before.id);
    columns.headers_sealed = true;
  }
  return columns;
}

function fieldsThatChanged(before: ScenarioRow, after: ScenarioRow, change: ScenarioChange): string[] {
  const fields: Array<[string, boolean]> = [
    ['name', before.name !== after.name],
    ['description', before.description !== after.description],
    // Sealing again changes the text, and a given secret counts even if it equals the earlier one.
    ['target', before.target !== after.target || (change.target !== undefined && after.sealed_headers !== null)],
    ['datasetId', before.dataset_id !== after.dataset_id],
    ['referenceMatch', before.reference_match !== after.reference_match],
  ];
  return fields.flatMap(([field, changed]) => (changed ? [field] : []));
}

async function replaceEvaluators(
  transaction: Transaction,
  { id, project_id: projectId }: ScenarioRow,
  slugs: readonly string[],
): Promise<boolean> {
  const before = (await evaluatorIdsOf(transaction, [id])).get(id) ?? [];
  await setEvaluators(transaction, { projectId, scenarioId: id }, slugs);
  const after = (await evaluatorIdsOf(transaction, [id])).get(id) ?? [];
  return before.join() !== after.join();
}
