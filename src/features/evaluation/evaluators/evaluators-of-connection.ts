import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** The evaluators whose judge asks a model connection, by slug; at most 200. @returns their ids and slugs */
export async function evaluatorsOfConnection(
  db: Database,
  projectId: string,
  connectionId: string,
): Promise<Array<{ id: string; name: string }>> {
  const { rows } = await sql<{ id: string; name: string }>`SELECT id, slug AS name FROM evaluators
    WHERE project_id = ${projectId}::uuid AND type = 'llm_judge' AND lower(config::json->>'connectionId') = ${connectionId}
    ORDER BY slug COLLATE "C" LIMIT 200`.execute(db);
  return rows;
}
