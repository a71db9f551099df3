import { sql } from 'kysely';
import { isOfDomain } from '../../platform/mail/index.ts';
import type { NotificationsContext } from './notifications-context.ts';

/** Recipients of a project's mail on one UTC day. */
export const maxRecipientsOfDay = 1_000;

/** Those of some addresses that may not get mail of a project (`SPANWISE_MAIL_RECIPIENTS`). Letters match in either case. */
export async function refusedRecipients(
  { db, mailRecipients }: Pick<NotificationsContext, 'db' | 'mailRecipients'>,
  projectId: string,
  addresses: readonly string[],
): Promise<string[]> {
  if (mailRecipients === 'anyone' || addresses.length === 0) return [];
  if (mailRecipients !== 'members') return addresses.filter((address) => !isOfDomain(address, mailRecipients));
  const { rows } = await sql<{ email: string }>`SELECT lower(u.email) AS email FROM projects p
    JOIN memberships m ON m.organization_id = p.organization_id JOIN users u ON u.id = m.user_id
    WHERE p.id = ${projectId}::uuid AND lower(u.email) = ANY(${addresses.map((address) => address.toLowerCase())}::text[])`.execute(
    db,
  );
  const members = new Set(rows.map(({ email }) => email));
  return addresses.filter((address) => !members.has(address.toLowerCase()));
}

/** Counts recipients of a project's mail. @returns false, and counts none, where the project would have more than {@link maxRecipientsOfDay} this UTC day */
export async function takeRecipients(
  { db, clock }: Pick<NotificationsContext, 'db' | 'clock'>,
  projectId: string,
  recipients: number,
): Promise<boolean> {
  const { rows } = await sql`INSERT INTO mail_recipients AS taken (project_id, day, recipients)
    VALUES (${projectId}::uuid, ${dayOf(clock.now())}::date, ${recipients})
    ON CONFLICT (project_id, day) DO UPDATE SET recipients = taken.recipients + excluded.recipients
      WHERE taken.recipients + excluded.recipients <= ${maxRecipientsOfDay}
    RETURNING recipients`.execute(db);
  return rows.length === 1;
}

/** Takes back what {@link takeRecipients} counted for mail that nobody got. */
export async function returnRecipients(
  { db, clock }: Pick<NotificationsContext, 'db' | 'clock'>,
  projectId: string,
  recipients: number,
): Promise<void> {
  await sql`UPDATE mail_recipients SET recipients = greatest(0, recipients - ${recipients})
    WHERE project_id = ${projectId}::uuid AND day = ${dayOf(clock.now())}::date`.execute(db);
}

function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}
