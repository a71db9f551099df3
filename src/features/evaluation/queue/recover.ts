import { sql } from 'kysely';
import type { EvaluationDb } from '../tables.ts';
import { mostAttempts } from './retry.ts';

/**
 * Puts evaluations back into the queue whose process has died. One that was under way too often when its process died is taken to be the
 * reason, and fails.
 *
 * @param all also those whose process may live: for the start of the only process of a database
 * @returns how many run again
 */
export async function recover(db: EvaluationDb, nowMs: number, all = false): Promise<number> {
  const now = new Date(nowMs).toISOString();
  return db.transaction().execute(async (transaction) => {
    const dead = all ? sql`status = 'running'` : sql`status = 'running' AND lease_until < ${now}::timestamptz`;
    await sql`UPDATE evaluations SET status = 'failed', finished_at = ${now}::timestamptz, lease_until = NULL,
      error = 'The evaluation was cut off each time it ran; look at the log of the service.'
      WHERE ${dead} AND attempts >= ${mostAttempts}`.execute(transaction);
    // Queued anew meanwhile: that one runs.
    await sql`DELETE FROM evaluations WHERE ${dead}
      AND EXISTS (SELECT 1 FROM evaluations AS other WHERE other.score_id = evaluations.score_id AND other.status = 'queued')`.execute(
      transaction,
    );
    const { numAffectedRows } = await sql`UPDATE evaluations SET status = 'queued', lease_until = NULL WHERE ${dead}`.execute(
      transaction,
    );
    return Number(numAffectedRows ?? 0);
  });
}
