import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** The scenarios whose prompt is sent to the model connection of this name, by name; at most 200. @returns their ids and names */
export async function scenariosOfConnection(
  db: Database,
  projectId: string,
  connectionName: string,
): Promise<Array<{ id: string; name: string }>> {
  const { rows } = await sql<{ id: string; name: string }>`SELECT id, name FROM simulation_scenarios
    WHERE project_id = ${projectId}::uuid AND target::json->>'type' = 'prompt' AND target::json->>'connection' = ${connectionName}
    ORDER BY name COLLATE "C" LIMIT 200`.execute(db);
  return rows;
}
