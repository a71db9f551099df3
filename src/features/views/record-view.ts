import type { Acting } from '../../contract/actor.ts';
import type { ViewRecord } from '../../contract/views.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Transaction } from '../../platform/postgres/index.ts';
import { recordAudit } from '../audit/index.ts';

/** Records that a view of the project was made or deleted; a private one is not recorded. Call last in the transaction. */
export async function recordView(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'view.created' | 'view.deleted',
  view: ViewRecord,
): Promise<void> {
  if (view.visibility === 'private') return;
  const detail = { name: view.name, on: view.on };
  await recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: view.id, detail });
}

/** Records which fields of a view have changed that is the project's, or was. Call last in the transaction. */
export async function recordViewChange(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  { before, after, changed }: { before: ViewRecord; after: ViewRecord; changed: string[] },
): Promise<void> {
  if (before.visibility === 'private' && after.visibility === 'private') return;
  // What a private view is named is its maker's alone.
  const { name, on } = after.visibility === 'project' ? after : before;
  const detail = { name, on, visibility: after.visibility, changed };
  await recordAudit(transaction, clock, {
    organizationId,
    projectId,
    kind: 'view.changed',
    actor,
    subject: after.id,
    detail,
  });
}
