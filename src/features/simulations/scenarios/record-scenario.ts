import type { Acting } from '../../../contract/actor.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { recordAudit } from '../../audit/index.ts';
import type { ScenarioRow } from '../tables.ts';
import { targetOf } from './scenario-record.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** Records that a scenario was created or deleted. Call last in the transaction. */
export async function recordScenario(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'simulation_scenario.created' | 'simulation_scenario.deleted',
  row: ScenarioRow,
): Promise<void> {
  await recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: row.id, detail: detailOf(row) });
}

/** Records which fields of a scenario have changed, if any. Call last in the transaction. */
export async function recordScenarioChange(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  row: ScenarioRow,
  changed: string[],
): Promise<void> {
  if (changed.length === 0) return;
  await recordAudit(transaction, clock, {
    organizationId,
    projectId,
    kind: 'simulation_scenario.updated',
    actor,
    subject: row.id,
    detail: { ...detailOf(row), changed },
  });
}

/** Without headers and body. */
function detailOf(row: ScenarioRow) {
  const target = targetOf(row);
  return { name: row.name, type: target.type, target: target.type === 'http' ? new URL(target.url).origin : target.promptName };
}
