import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import type { ModelConnectionBody, ModelConnectionRecord } from '../../contract/model-connections.ts';
import { checkAddress } from '../../platform/net/index.ts';
import { recordOf, underFreeName } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';
import { recordConnection } from './record-connection.ts';

/** Creates a model connection. Errors: `invalid_request` for an address that is not allowed; `conflict` when the name is taken. */
export async function createConnection(
  { db, clock, box, http }: ConnectionsContext,
  acting: Acting,
  { name, baseUrl, model, apiKey }: ModelConnectionBody,
): Promise<ModelConnectionRecord> {
  await checkAddress(http, baseUrl, '/baseUrl');
  const id = uuidv7();
  const now = new Date(clock.now());
  const row = {
    id,
    project_id: acting.projectId,
    name,
    base_url: baseUrl,
    model,
    sealed_key: apiKey ? box.seal(apiKey, id) : null,
    created_at: now,
    updated_at: now,
  };
  const made = recordOf(row);
  await underFreeName(name, () =>
    db.transaction().execute(async (transaction) => {
      await transaction.insertInto('model_connections').values(row).execute();
      await recordConnection(transaction, clock, acting, 'model_connection.created', made);
    }),
  );
  return made;
}
