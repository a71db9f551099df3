import type { ListModelConnectionsQuery, ModelConnectionRecord } from '../../contract/model-connections.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordOf } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';

const oldestFirst = byCreation('asc');

/** The model connections of a project, oldest first. */
export async function listConnections(
  { db }: ConnectionsContext,
  projectId: string,
  query: ListModelConnectionsQuery,
): Promise<{ modelConnections: ModelConnectionRecord[]; nextCursor: string | null }> {
  const select = db.selectFrom('model_connections').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { modelConnections: rows.map(recordOf), nextCursor };
}
