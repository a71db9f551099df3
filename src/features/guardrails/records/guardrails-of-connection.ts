import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** The guardrails whose judge asks the model connection of this name, by slug; at most 200. @returns their ids and slugs */
export async function guardrailsOfConnection(
  db: Database,
  projectId: string,
  connectionName: string,
): Promise<Array<{ id: string; name: string }>> {
  const { rows } = await sql<{ id: string; name: string }>`SELECT id, slug AS name FROM guardrails
    WHERE project_id = ${projectId}::uuid AND type = 'llm_judge' AND config::json->>'connection' = ${connectionName}
    ORDER BY slug COLLATE "C" LIMIT 200`.execute(db);
  return rows;
}
