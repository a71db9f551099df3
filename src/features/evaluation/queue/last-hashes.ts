import { sql } from 'kysely';
import type { EvaluationDb } from '../tables.ts';

/** What each of these evaluations looked at when it last came to an end other than a failure: hashes by score id. */
export async function lastHashes(db: EvaluationDb, scoreIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ score_id: string; content_hash: string }>`
    SELECT DISTINCT ON (score_id) score_id, content_hash FROM evaluations
    WHERE score_id = ANY(${scoreIds}::uuid[]) AND status IN ('completed', 'skipped')
    ORDER BY score_id, created_at DESC, id DESC`.execute(db);
  return new Map(rows.filter((row) => row.content_hash !== '').map((row) => [row.score_id, row.content_hash]));
}
