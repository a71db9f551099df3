import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** The last completed or skipped evaluation of a target. */
export interface LastEnd {
  /** Hash of the subject; `''`: none. */
  contentHash: string;
  /** Whether it stored a score that has not been withdrawn. */
  scored: boolean;
}

/** By score id; targets without one are left out. */
export async function lastEnds(db: Database, scoreIds: readonly string[]): Promise<Map<string, LastEnd>> {
  const { rows } = await sql<{ score_id: string; content_hash: string; status: string }>`
    SELECT DISTINCT ON (score_id) score_id, content_hash, status FROM evaluations
    WHERE score_id = ANY(${scoreIds}::uuid[]) AND status IN ('completed', 'skipped')
    ORDER BY score_id, created_at DESC, id DESC`.execute(db);
  return new Map(rows.map((row) => [row.score_id, { contentHash: row.content_hash, scored: row.status === 'completed' }]));
}
