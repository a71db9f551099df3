import type { Acting } from '../../../contract/actor.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { recordScenario } from './record-scenario.ts';
import { findScenario } from './scenario-record.ts';

/** Deletes a scenario. Its batch runs stay, and those in progress go on. Errors: `not_found`. */
export async function deleteScenario(
  { db, clock }: Pick<SimulationsContext, 'db' | 'clock'>,
  acting: Acting,
  scenarioId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await findScenario(transaction, acting.projectId, scenarioId);
    const { numDeletedRows } = await transaction
      .deleteFrom('simulation_scenarios')
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow();
    // Of two concurrent deletions one finds the row.
    if (numDeletedRows > 0n) await recordScenario(transaction, clock, acting, 'simulation_scenario.deleted', row);
  });
}
