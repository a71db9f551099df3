import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** Evaluators of a project by slug, locked so that they are not deleted before the transaction ends. In no order; without unknown slugs. */
export async function lockEvaluatorsNamed(
  transaction: Transaction,
  projectId: string,
  slugs: readonly string[],
): Promise<Array<{ id: string; slug: string }>> {
  if (slugs.length === 0) return [];
  const { rows } = await sql<{ id: string; slug: string }>`SELECT id, slug FROM evaluators
    WHERE project_id = ${projectId}::uuid AND slug = ANY(${[...slugs]}::text[]) ORDER BY id FOR KEY SHARE`.execute(transaction);
  return rows;
}

/** Slugs of evaluators by id. */
export async function slugsOfEvaluators(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; slug: string }>`SELECT id, slug FROM evaluators
    WHERE id = ANY(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}
