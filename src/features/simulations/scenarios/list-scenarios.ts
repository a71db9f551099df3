import { sql } from 'kysely';
import type { Scenario, ScenariosQuery } from '../../../contract/simulations.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import { storableText } from '../../../platform/text/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { findScenario, recordsOf } from './scenario-record.ts';

const oldestFirst = byCreation('asc');

/** The scenarios of a project, oldest first. */
export async function listScenarios(
  { db }: Pick<SimulationsContext, 'db'>,
  projectId: string,
  query: ScenariosQuery,
): Promise<{ scenarios: Scenario[]; nextCursor: string | null }> {
  let select = db.selectFrom('simulation_scenarios').selectAll().where('project_id', '=', projectId);
  if (query.name !== undefined) select = select.where('name', '=', storableText(query.name));
  if (query.q !== undefined) select = select.where(sql<boolean>`position(lower(${storableText(query.q)}) IN lower(name)) > 0`);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { scenarios: await recordsOf(db, rows), nextCursor };
}

/** One scenario. Errors: `not_found`. */
export async function getScenario(
  { db }: Pick<SimulationsContext, 'db'>,
  projectId: string,
  scenarioId: string,
): Promise<Scenario> {
  const [record] = await recordsOf(db, [await findScenario(db, projectId, scenarioId)]);
  if (!record) throw new Error('the scenario has no record');
  return record;
}
