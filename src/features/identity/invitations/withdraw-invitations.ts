import type { UserActor } from '../../../contract/actor.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { recordAudits } from '../../audit/index.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** Deletes the invitations that wait of somebody who may no longer invite: they would come back by their own. */
export async function withdrawInvitations(
  transaction: Transaction,
  { clock }: { clock: Clock },
  { organizationId, actor }: { organizationId: string; actor: UserActor },
  inviterId: string,
): Promise<void> {
  const deleted = await transaction
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', inviterId)
    .returning(['id', 'email', 'role'])
    .execute();
  await recordAudits(
    transaction,
    clock,
    deleted.map(({ id: subject, email, role }) => ({
      organizationId,
      projectId: null,
      kind: 'invitation.deleted' as const,
      actor,
      subject,
      detail: { email, role },
    })),
  );
}
