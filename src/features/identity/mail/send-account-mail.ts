import { sql } from 'kysely';
import { randomBase62 } from '../../../contract/api-key.ts';
import { hashSecret } from '../../../platform/crypto/secrets.ts';
import { MailError } from '../../../platform/mail/index.ts';
import type { Mailer } from '../../../platform/mail/index.ts';
import type { IdentityContext } from '../identity-context.ts';
import { linkLength, linkTo } from '../invitations/create-invitation.ts';
import { invitationMessage, resetMessage } from './account-message.ts';
import type { AccountMessage } from './account-message.ts';

/** Milliseconds after which another process may send a mail that one began to send. */
const leaseMs = 120_000;
/** Milliseconds to the next attempt, by the attempts before. After the last one the mail is given up. */
const waits = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];
/** Mails in progress. */
const concurrency = 4;

interface Claimed {
  table: 'invitations' | 'password_resets';
  id: string;
  attempts: number;
  tokenHash: Buffer;
  to: string;
  /** null: there is nobody to send it to. */
  message: AccountMessage | null;
}

/**
 * Sends the mails of invitations and lost passwords that are due. Each attempt makes a new link, since the database has only its hash. A job.
 *
 * @param failed called with each error of the mail server
 * @returns how many were sent
 */
export async function sendAccountMail(
  context: IdentityContext,
  mailer: Pick<Mailer, 'send'>,
  signal: AbortSignal,
  failed: (error: MailError) => void,
): Promise<number> {
  let sent = 0;
  const sendAll = async () => {
    while (!signal.aborted) {
      // Lost passwords first: their links are valid for minutes.
      const mail = (await claimReset(context)) ?? (await claimInvitation(context));
      if (!mail) return;
      if (await sendOne(context, mailer, mail, { signal, failed })) sent += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendAll));
  return sent;
}

async function sendOne(
  context: IdentityContext,
  mailer: Pick<Mailer, 'send'>,
  mail: Claimed,
  { signal, failed }: { signal: AbortSignal; failed: (error: MailError) => void },
): Promise<boolean> {
  if (mail.message === null) {
    await ended(context, mail, null);
    return false;
  }
  try {
    const dateMs = context.clock.now();
    await mailer.send({ ...mail.message, to: [mail.to], dateMs, id: `${mail.id}-${mail.attempts}`, thread: null }, signal);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    failed(error);
    const wait = waits[mail.attempts - 1];
    await ended(context, mail, wait === undefined ? null : new Date(context.clock.now() + wait), { unsent: true });
    return false;
  }
  await ended(context, mail, null);
  return true;
}

/** Records what became of an attempt, unless the link was replaced meanwhile. */
async function ended(
  { db }: IdentityContext,
  { table, id, tokenHash }: Claimed,
  nextAt: Date | null,
  { unsent = false } = {},
): Promise<void> {
  await db
    .updateTable(table)
    .set({ mail_due_at: nextAt, ...(unsent ? { token_sha256: null } : {}) })
    .where('id', '=', id)
    .where('token_sha256', '=', tokenHash)
    .execute();
}

async function claimInvitation(context: IdentityContext): Promise<Claimed | null> {
  const claimed = await claim<{ email: string; role: 'owner' | 'admin' | 'member' | 'viewer'; organization_id: string }>(
    context,
    'invitations',
  );
  if (!claimed) return null;
  const { row, token, ...rest } = claimed;
  const organization = await context.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', row.organization_id)
    .executeTakeFirst();
  const url = linkTo(context, 'invite', token);
  const message = organization ? invitationMessage({ organization: organization.name, role: row.role, url }) : null;
  return { ...rest, table: 'invitations', to: row.email, message };
}

async function claimReset(context: IdentityContext): Promise<Claimed | null> {
  const claimed = await claim<{ account: string }>(context, 'password_resets');
  if (!claimed) return null;
  const { row, token, ...rest } = claimed;
  const user = await context.db
    .selectFrom('users')
    .select('email')
    .where((where) => where(where.fn('lower', ['email']), '=', row.account))
    .executeTakeFirst();
  const url = linkTo(context, 'reset', token);
  const message = user ? resetMessage({ email: user.email, url }) : null;
  return { ...rest, table: 'password_resets', to: user?.email ?? row.account, message };
}

interface ClaimedRow<Row> extends Pick<Claimed, 'id' | 'attempts' | 'tokenHash'> {
  row: Row;
  token: string;
}

/** Takes the mail that is due first, and gives it a new link. */
async function claim<Row>({ db, clock }: IdentityContext, table: Claimed['table']): Promise<ClaimedRow<Row> | null> {
  const now = new Date(clock.now());
  const token = randomBase62(linkLength);
  const tokenHash = hashSecret(token);
  const { rows } = await sql<Row & { id: string; mail_attempts: number }>`
    UPDATE ${sql.table(table)} SET token_sha256 = ${tokenHash}, mail_attempts = mail_attempts + 1,
      mail_due_at = ${new Date(clock.now() + leaseMs)}::timestamptz
    WHERE id = (
      SELECT id FROM ${sql.table(table)} WHERE mail_due_at <= ${now}::timestamptz AND expires_at > ${now}::timestamptz
      ORDER BY mail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING *`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return { id: row.id, attempts: row.mail_attempts, tokenHash, row, token };
}
