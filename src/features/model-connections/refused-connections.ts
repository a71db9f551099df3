import type { Database } from '../../platform/postgres/index.ts';
import { refusedUrls } from '../../platform/net/index.ts';
import type { ConnectionTables } from './connections-context.ts';

/**
 * The model connections of all projects with an address that requests may not reach, one sentence each (docs/semantics.md, "Outgoing
 * addresses"). For the operator.
 */
export async function refusedConnections(db: Database, allowed: readonly string[]): Promise<string[]> {
  const rows = await db
    .withTables<Pick<ConnectionTables, 'model_connections'>>()
    .selectFrom('model_connections')
    .select(['name', 'project_id', 'base_url'])
    .orderBy('project_id')
    .orderBy('name')
    .execute();
  return refusedUrls(
    allowed,
    rows.map((row) => ({ name: `${row.name} of project ${row.project_id}`, url: row.base_url })),
  );
}
