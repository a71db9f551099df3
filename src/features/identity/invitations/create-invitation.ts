import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../../../contract/actor.ts';
import { randomBase62 } from '../../../contract/api-key.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Role } from '../../../contract/permissions.ts';
import { hashSecret } from '../../../platform/crypto/secrets.ts';
import { recordAudit } from '../../audit/index.ts';
import { nowOf } from '../identity-context.ts';
import type { IdentityContext } from '../identity-context.ts';
import { ownersOnly } from '../members.ts';
import { mostInvitationsOfOrganization, requireFewer } from '../require-fewer.ts';
import { invitationRecord } from './invitation-record.ts';
import type { InvitationRecord } from './invitation-record.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';
import { dayMs, hourMs } from '../../../contract/durations.ts';

/** How long a link of an invitation is valid, in milliseconds. */
export const invitationMs = 7 * dayMs;
/** Mails of invitations that an organization sends in an hour. */
const mostMailsAnHour = 100;

/** The characters of a link's secret: over 256 bits. */
export const linkLength = 43;

interface Inviting {
  organizationId: string;
  /** The role of the actor; an operator has that of an owner. */
  role: Role;
  actor: Actor;
}

/**
 * Invites a person by email, whether they have an account or not. Replaces an earlier invitation of the same email. Where mail is configured the link is
 * mailed, else it is returned, only here.
 *
 * Errors: `forbidden` when anyone but an owner grants the owner role, or replaces an invitation of an owner; `conflict` for a member, or when too many invitations wait; `rate_limited` after
 * too many mails in an hour.
 */
export async function createInvitation(
  context: IdentityContext,
  inviting: Inviting,
  input: { email: string; role: Role; name?: string | undefined },
): Promise<InvitationRecord & { url: string | null }> {
  ownersOnly(inviting, input.role);
  const mailed = context.accounts.mailer !== null;
  const token = randomBase62(linkLength);
  const now = nowOf(context);
  const row = {
    id: uuidv7(),
    organization_id: inviting.organizationId,
    email: input.email,
    name: input.name ?? null,
    role: input.role,
    invited_by: inviting.actor.type === 'user' ? inviting.actor.id : null,
    token_sha256: mailed ? null : hashSecret(token),
    created_at: now,
    expires_at: new Date(now.getTime() + invitationMs),
    mail_due_at: mailed ? now : null,
    mail_attempts: 0,
  };
  await context.db.transaction().execute(async (transaction) => {
    await requireRoom(transaction, inviting.organizationId, input.email);
    if (mailed) await requireFewMails(transaction, context, inviting.organizationId);
    const replaced = await transaction
      .deleteFrom('invitations')
      .where('organization_id', '=', inviting.organizationId)
      .where((where) => where(where.fn('lower', ['email']), '=', input.email.toLowerCase()))
      .returning('role')
      .executeTakeFirst();
    if (replaced) ownersOnly(inviting, replaced.role);
    await transaction.insertInto('invitations').values(row).execute();
    await recordAudit(transaction, context.clock, {
      organizationId: inviting.organizationId,
      projectId: null,
      kind: 'invitation.created',
      actor: inviting.actor,
      subject: row.id,
      detail: { email: row.email, role: row.role },
    });
  });
  return { ...invitationRecord(row), url: mailed ? null : linkTo(context, 'invite', token) };
}

/** The page of the dashboard that takes a link's secret. */
export function linkTo({ accounts }: IdentityContext, page: 'invite' | 'reset', token: string): string {
  return `${accounts.publicOrigin()}/${page}/${token}`;
}

/** Locks the organization, so that concurrent invitations of one email replace one another. */
async function requireRoom(transaction: Transaction, organizationId: string, email: string): Promise<void> {
  await transaction.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute();
  const member = await transaction
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.organization_id', '=', organizationId)
    .where((where) => where(where.fn('lower', ['u.email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  if (member) throw new ServiceError('conflict', 'This person is a member already; change their role instead.');
  const { others } = await transaction
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('others'))
    .where('organization_id', '=', organizationId)
    .where((where) => where(where.fn('lower', ['email']), '!=', email.toLowerCase()))
    .executeTakeFirstOrThrow();
  requireFewer(
    others,
    mostInvitationsOfOrganization,
    `An organization has at most ${mostInvitationsOfOrganization} invitations that wait; delete some of them first.`,
  );
}

/** Counted in the audit log, since a replaced invitation is deleted. */
async function requireFewMails(transaction: Transaction, { clock }: IdentityContext, organizationId: string): Promise<void> {
  const { rows } = await sql<{ at: Date }>`SELECT at FROM audit_entries WHERE organization_id = ${organizationId}::uuid
    AND kind = 'invitation.created' AND at > ${new Date(clock.now() - hourMs)}::timestamptz
    ORDER BY seq DESC LIMIT ${mostMailsAnHour}`.execute(transaction);
  const oldest = rows[mostMailsAnHour - 1];
  if (!oldest) return;
  throw new ServiceError(
    'rate_limited',
    `An organization mails at most ${mostMailsAnHour} invitations an hour; wait and try again.`,
    {
      retryAfterSeconds: (oldest.at.getTime() + hourMs - clock.now()) / 1000,
    },
  );
}
