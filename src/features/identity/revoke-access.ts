import { ServiceError } from '../../contract/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { endAccess } from './end-access.ts';
import type { IdentityContext } from './identity-context.ts';
import { lockedMember } from './members.ts';
import type { ActingInOrganization } from './members.ts';
import { organizationIdsOf } from './organization-ids.ts';

/**
 * Ends the sessions and personal tokens of a member. Their password stays.
 *
 * Errors: `forbidden` when anyone but an owner names an owner; `conflict` for an account that belongs to further organizations.
 */
export async function revokeAccess(context: IdentityContext, acting: ActingInOrganization, userId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const member = await lockedMember(transaction, acting.organizationId, userId);
    if (member.role === 'owner' && acting.role !== 'owner')
      throw new ServiceError('forbidden', "Only an owner can end an owner's sessions and tokens; ask one of the owners.");
    if ((await organizationIdsOf(transaction, member.userId)).length > 1)
      throw new ServiceError(
        'conflict',
        'This person belongs to other organizations too, so that only they can end their sessions and tokens; remove them from this organization instead.',
      );
    const ended = await endAccess(transaction, member.userId);
    await recordAudit(transaction, context.clock, {
      organizationId: acting.organizationId,
      projectId: null,
      kind: 'member.revoked',
      actor: acting.actor,
      subject: member.userId,
      detail: { email: member.email, ...ended },
    });
  });
}
