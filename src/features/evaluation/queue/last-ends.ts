import { sql } from 'kysely';
import type { EvaluationDb } from '../tables.ts';

/** How an evaluation of a target last came to an end other than a failure. */
export interface LastEnd {
  /** Names what was looked at; `''`: nothing was. */
  contentHash: string;
  /** It gave a score, which stands. */
  scored: boolean;
}

/** The last ends by score id; those that have none are left out. */
export async function lastEnds(db: EvaluationDb, scoreIds: readonly string[]): Promise<Map<string, LastEnd>> {
  const { rows } = await sql<{ score_id: string; content_hash: string; status: string }>`
    SELECT DISTINCT ON (score_id) score_id, content_hash, status FROM evaluations
    WHERE score_id = ANY(${scoreIds}::uuid[]) AND status IN ('completed', 'skipped')
    ORDER BY score_id, created_at DESC, id DESC`.execute(db);
  return new Map(rows.map((row) => [row.score_id, { contentHash: row.content_hash, scored: row.status === 'completed' }]));
}
