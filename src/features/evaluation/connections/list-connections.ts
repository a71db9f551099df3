import { sql } from 'kysely';
import type { ListModelConnectionsQuery, ModelConnectionRecord } from '../../../contract/model-connections.ts';
import { decodeCursor, pageOf } from '../../../contract/page.ts';
import { recordOf } from './connection-record.ts';
import type { ConnectionsContext } from './connections-context.ts';

/** The model connections of a project, oldest first. */
export async function listConnections(
  { db }: ConnectionsContext,
  projectId: string,
  query: ListModelConnectionsQuery,
): Promise<{ modelConnections: ModelConnectionRecord[]; nextCursor: string | null }> {
  const after = decodeCursor(query.cursor);
  let select = db.selectFrom('model_connections').selectAll().where('project_id', '=', projectId);
  if (after) select = select.where(sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('created_at')
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const { items, nextCursor } = pageOf(rows.map(recordOf), query.limit);
  return { modelConnections: items, nextCursor };
}
