import type { Acting } from '../../contract/actor.ts';
import { noSuchConnection, recordOf } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { recordConnection } from './record-connection.ts';

/** Deletes a model connection with its key. Evaluations that use it fail from then on. Errors: `not_found`. */
export async function deleteConnection({ db, clock }: ConnectionsContext, acting: Acting, connectionId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('model_connections')
      .where('id', '=', connectionId)
      .where('project_id', '=', acting.projectId)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw noSuchConnection();
    await recordConnection(transaction, clock, acting, 'model_connection.deleted', recordOf(deleted));
  });
}
