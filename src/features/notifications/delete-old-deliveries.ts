import { dayMs } from '../../contract/durations.ts';
import { sql } from 'kysely';
import type { NotificationsContext } from './notifications-context.ts';

const keptMs = 30 * dayMs;
/** Maximum ended deliveries of a project. */
const maxKept = 50_000;
/** Rows per DELETE: a long statement would block others. */
const chunkSize = 5_000;

/**
 * Deletes ended deliveries after 30 days, those of a project beyond the newest 50,000, messages without deliveries, and counts of recipients of past days.
 * Repeatable.
 *
 * @param signal stops it between two statements
 */
export async function deleteOldDeliveries(
  { db, clock }: Pick<NotificationsContext, 'db' | 'clock'>,
  signal: AbortSignal,
  maxEnded = maxKept,
): Promise<void> {
  const oldest = new Date(clock.now() - keptMs).toISOString();
  const ended = sql`status IN ('delivered', 'failed')`;
  const batches = [
    () => sql`DELETE FROM notification_deliveries WHERE id IN (
      SELECT id FROM notification_deliveries WHERE ${ended} AND finished_at < ${oldest}::timestamptz LIMIT ${chunkSize})`,
    () => sql`DELETE FROM notification_deliveries WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY finished_at DESC) AS place
        FROM notification_deliveries WHERE ${ended}
      ) AS ranked WHERE place > ${maxEnded} LIMIT ${chunkSize})`,
    () => sql`DELETE FROM notification_messages WHERE id IN (
      SELECT id FROM notification_messages AS message
      WHERE NOT EXISTS (SELECT 1 FROM notification_deliveries WHERE message_id = message.id) LIMIT ${chunkSize})`,
  ];
  const yesterday = new Date(clock.now() - 2 * dayMs).toISOString().slice(0, 10);
  await sql`DELETE FROM mail_recipients WHERE day < ${yesterday}::date`.execute(db);
  for (const batch of batches) {
    for (;;) {
      if (signal.aborted) return;
      const { numAffectedRows } = await batch().execute(db);
      if (Number(numAffectedRows ?? 0) < chunkSize) break;
    }
  }
}
