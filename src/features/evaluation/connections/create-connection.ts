import { v7 as uuidv7 } from 'uuid';
import type { ModelConnectionBody, ModelConnectionRecord } from '../../../contract/model-connections.ts';
import { recordOf, underFreeName } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';

/** Makes a model connection of a project. Errors: `conflict` when the name is taken. */
export async function createConnection(
  { db, clock, box }: ConnectionsContext,
  projectId: string,
  { name, baseUrl, model, apiKey }: ModelConnectionBody,
): Promise<ModelConnectionRecord> {
  const id = uuidv7();
  const now = new Date(clock.now());
  const row = {
    id,
    project_id: projectId,
    name,
    base_url: baseUrl,
    model,
    sealed_key: apiKey ? box.seal(apiKey, id) : null,
    created_at: now,
    updated_at: now,
  };
  await underFreeName(name, () => db.insertInto('model_connections').values(row).execute());
  return recordOf(row);
}
