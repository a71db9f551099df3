import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../contract/actor.ts';
import { recordAudits } from '../audit/index.ts';
import { endAccess } from './end-access.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { invitationMs } from './invitations/create-invitation.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

interface OpenedByOther {
  user_id: string;
  email: string;
  organization_id: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
}

/**
 * Closes organizations that a password opens which another organization chose. In earlier releases an organization could choose the password of a new member, and others could
 * add the same person later. Such a person loses their sessions, tokens and memberships but the first, and is invited again by each further organization; the acceptance asks for
 * a new password. Organizations that they created themselves stay. Called at each start; changes nothing where there is no such account, and none is made any more.
 *
 * @returns how many memberships became invitations
 */
export async function closeGivenPasswords(context: IdentityContext): Promise<number> {
  return context.db.transaction().execute(async (transaction) => {
    const { rows } = await sql<OpenedByOther>`SELECT m.user_id, u.email, m.organization_id, m.role
      FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE u.password_set_by = 'organization'
        AND m.organization_id <> (
          SELECT organization_id FROM memberships WHERE user_id = m.user_id ORDER BY created_at, organization_id LIMIT 1
        )
        AND NOT EXISTS (
          SELECT 1 FROM audit_entries e WHERE e.organization_id = m.organization_id AND e.kind = 'member.added'
            AND e.subject = m.user_id::text AND e.actor_id = m.user_id::text
        )
      ORDER BY m.organization_id, m.user_id FOR UPDATE OF m`.execute(transaction);
    for (const userId of new Set(rows.map(({ user_id }) => user_id))) await endAccess(transaction, userId);
    for (const row of rows) await turnIntoInvitation(transaction, context, row);
    return rows.length;
  });
}

async function turnIntoInvitation(
  transaction: Transaction,
  context: IdentityContext,
  { user_id, email, organization_id, role }: OpenedByOther,
): Promise<void> {
  const now = nowOf(context);
  const id = uuidv7();
  await transaction
    .deleteFrom('memberships')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute();
  await transaction
    .insertInto('invitations')
    .values({
      id,
      organization_id,
      email,
      name: null,
      role,
      invited_by: null,
      // A link is made when the mail is sent, or when an owner or admin invites the person again.
      token_sha256: null,
      created_at: now,
      expires_at: new Date(now.getTime() + invitationMs),
      mail_due_at: context.accounts.mailer === null ? null : now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const entry = { organizationId: organization_id, projectId: null, actor: systemActor, detail: { email, role } };
  await recordAudits(transaction, context.clock, [
    { ...entry, kind: 'member.removed', subject: user_id },
    { ...entry, kind: 'invitation.created', subject: id },
  ]);
}
