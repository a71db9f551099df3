import type { Database } from '../../platform/postgres/index.ts';
import { refusedUrls } from '../../platform/net/index.ts';
import type { AddressPolicy } from '../../platform/net/index.ts';

/**
 * The model connections of all projects with an address that requests may not reach, one sentence each (docs/semantics.md, "Outgoing
 * addresses"). For the operator.
 */
export async function refusedConnections(db: Database, addresses: AddressPolicy): Promise<string[]> {
  const rows = await db
    .selectFrom('model_connections')
    .select(['name', 'project_id', 'base_url'])
    .orderBy('project_id')
    .orderBy('name')
    .execute();
  return refusedUrls(
    addresses,
    rows.map((row) => ({ name: `${row.name} of project ${row.project_id}`, url: row.base_url })),
  );
}
