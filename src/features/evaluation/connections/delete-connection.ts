import type { ConnectionsContext } from './connections-context.ts';
import { noSuchConnection } from './connection-record.ts';

/** Deletes a model connection with its key; evaluations that name it fail from then on. Errors: `not_found`. */
export async function deleteConnection({ db }: ConnectionsContext, projectId: string, connectionId: string): Promise<void> {
  const deleted = await db
    .deleteFrom('model_connections')
    .where('id', '=', connectionId)
    .where('project_id', '=', projectId)
    .returning('id')
    .execute();
  if (deleted.length === 0) throw noSuchConnection();
}
