import type { Database } from '../../platform/postgres/index.ts';
import { HttpClient } from '../../platform/net/index.ts';
import { addressFault } from './check-address.ts';
import type { ConnectionTables } from './connections-context.ts';

/**
 * The model connections of all projects with an address that requests may not reach, one sentence each (docs/semantics.md, "Outgoing
 * addresses"). For the operator.
 */
export async function refusedConnections(db: Database, allowed: readonly string[]): Promise<string[]> {
  const http = new HttpClient({ addresses: { allowed } });
  try {
    const rows = await db
      .withTables<Pick<ConnectionTables, 'model_connections'>>()
      .selectFrom('model_connections')
      .select(['name', 'project_id', 'base_url'])
      .orderBy('project_id')
      .orderBy('name')
      .execute();
    const sentences: string[] = [];
    for (const row of rows) {
      const fault = await addressFault(http, row.base_url);
      if (fault) sentences.push(`${row.name} of project ${row.project_id}: ${fault.message}`);
    }
    return sentences;
  } finally {
    await http.close();
  }
}
