import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { simulationLimits } from '../../../contract/simulations.ts';
import type { Scenario, ScenarioBody } from '../../../contract/simulations.ts';
import { lockDataset, requireDataset } from '../../datasets/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { checkTarget } from './check-target.ts';
import { recordScenario } from './record-scenario.ts';
import { recordsOf, setEvaluators, underFreeName } from './scenario-record.ts';
import { sealSecrets, separateSecrets } from './target-secrets.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/**
 * Creates a scenario (docs/semantics.md, "Scenarios").
 *
 * Errors: `not_found` for the dataset; `invalid_request` for an address that is not public and for unknown evaluators; `conflict` for a taken name or too
 * many scenarios.
 */
export async function createScenario(context: SimulationsContext, acting: Acting, body: ScenarioBody): Promise<Scenario> {
  const { db, clock, box } = context;
  const { projectId } = acting;
  const { shown, secrets } = separateSecrets(body.target, null);
  await requireDataset(db, projectId, body.datasetId);
  await checkTarget(context, shown, secrets);
  const id = uuidv7();
  const now = new Date(clock.now());
  const row = await underFreeName(() =>
    db.transaction().execute(async (transaction) => {
      await lockDataset(transaction, projectId, body.datasetId);
      await refuseTooMany(transaction, projectId);
      const stored = await transaction
        .insertInto('simulation_scenarios')
        .values({
          id,
          project_id: projectId,
          name: body.name,
          description: body.description,
          target: JSON.stringify(shown),
          sealed_headers: sealSecrets(box, secrets, id),
          headers_sealed: true,
          dataset_id: body.datasetId,
          reference_match: body.referenceMatch?.mode ?? null,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await setEvaluators(transaction, { projectId, scenarioId: id }, body.evaluators);
      await recordScenario(transaction, clock, acting, 'simulation_scenario.created', stored);
      return stored;
    }),
  );
  const [made] = await recordsOf(db, [row]);
  if (!made) throw new Error('the scenario has no record');
  return made;
}

/** Approximate: concurrent requests do not count each other's. */
async function refuseTooMany(transaction: Transaction, projectId: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('simulation_scenarios')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count < simulationLimits.scenarios) return;
  throw new ServiceError('conflict', `A project has at most ${simulationLimits.scenarios} scenarios; delete one first.`);
}
