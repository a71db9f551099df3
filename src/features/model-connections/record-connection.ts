import type { Acting } from '../../contract/actor.ts';
import type { ModelConnectionRecord } from '../../contract/model-connections.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** Records that a connection was created or deleted. Call last in the transaction. */
export async function recordConnection(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'model_connection.created' | 'model_connection.deleted',
  connection: ModelConnectionRecord,
): Promise<void> {
  const detail = detailOf(connection);
  await recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: connection.id, detail });
}

/**
 * Records which fields of a connection have changed, if any. Call last in the transaction.
 *
 * @param keyGiven whether a key was given or removed; recorded even if it equals the earlier one
 */
export async function recordConnectionChange(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  before: ModelConnectionRecord,
  after: ModelConnectionRecord,
  keyGiven: boolean,
): Promise<void> {
  const fields = (['name', 'baseUrl', 'model'] as const).filter((field) => before[field] !== after[field]);
  const changed = [...fields, ...(keyGiven ? ['apiKey'] : [])];
  if (changed.length === 0) return;
  await recordAudit(transaction, clock, {
    organizationId,
    projectId,
    kind: 'model_connection.updated',
    actor,
    subject: after.id,
    detail: { ...detailOf(after), changed },
  });
}

/** Without the key. */
function detailOf({ name, baseUrl, model, hasKey }: ModelConnectionRecord) {
  return { name, baseUrl, model, hasKey };
}
