import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import { recordAudit } from '../../audit/index.ts';
import type { IdentityContext } from '../identity-context.ts';
import { ownersOnly } from '../members.ts';
import type { ActingInOrganization } from '../members.ts';

/** Deletes an invitation, whose link then no longer works. Errors: `not_found` when it is accepted or deleted; `forbidden` for that of an owner. */
export async function deleteInvitation(
  context: IdentityContext,
  { organizationId, actor, role: ofActor }: ActingInOrganization,
  invitationId: string,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('invitations')
      .where('organization_id', '=', organizationId)
      .where(sql`id::text`, '=', invitationId.toLowerCase())
      .returning(['id', 'email', 'role'])
      .executeTakeFirst();
    if (!deleted) throw noSuchInvitation();
    const { id: subject, email, role } = deleted;
    ownersOnly({ role: ofActor }, role);
    const record = {
      organizationId,
      projectId: null,
      kind: 'invitation.deleted',
      actor,
      subject,
      detail: { email, role },
    } as const;
    await recordAudit(transaction, context.clock, record);
  });
}

/** Throws `not_found` unless the organization has the invitation. */
export async function requireInvitation(context: IdentityContext, organizationId: string, invitationId: string): Promise<void> {
  const row = await context.db
    .selectFrom('invitations')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql`id::text`, '=', invitationId.toLowerCase())
    .executeTakeFirst();
  if (!row) throw noSuchInvitation();
}

function noSuchInvitation(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such invitation in this organization; list the invitations to see which wait.',
  );
}
