import type { Acting } from '../../contract/actor.ts';
import { noSuchConnection, recordOf } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { recordConnection } from './record-connection.ts';
import { refuseInUse, usesOf } from './uses.ts';

/**
 * Deletes a model connection that nothing uses, with its key.
 *
 * Errors: `not_found`; `connection_in_use` with `usedBy`.
 */
export async function deleteConnection(
  { db, clock, useReaders }: ConnectionsContext,
  acting: Acting,
  connectionId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('model_connections')
      .where('id', '=', connectionId)
      .where('project_id', '=', acting.projectId)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw noSuchConnection();
    refuseInUse(await usesOf(useReaders, transaction, acting.projectId, deleted), 'deleted');
    await recordConnection(transaction, clock, acting, 'model_connection.deleted', recordOf(deleted));
  });
}
