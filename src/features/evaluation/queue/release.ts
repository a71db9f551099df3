import { sql } from 'kysely';
import type { EvaluationDb } from '../tables.ts';

/** Gives back what a process has taken and cannot finish, as if it had not been taken. */
export async function release(db: EvaluationDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE evaluations SET status = 'queued', lease_until = NULL, attempts = attempts - 1
    WHERE id = ANY(${ids}::uuid[]) AND status = 'running'
      AND NOT EXISTS (SELECT 1 FROM evaluations AS other WHERE other.score_id = evaluations.score_id AND other.status = 'queued')`.execute(
    db,
  );
}
