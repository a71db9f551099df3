import type { ListQuery } from '../../../contract/identity.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import type { IdentityContext } from '../identity-context.ts';
import { invitationRecord } from './invitation-record.ts';
import type { InvitationRecord } from './invitation-record.ts';

const oldestFirst = byCreation('asc');

/** The invitations of an organization that were not accepted, expired ones too, oldest first. */
export async function listInvitations(
  context: IdentityContext,
  organizationId: string,
  query: ListQuery,
): Promise<{ invitations: InvitationRecord[]; nextCursor: string | null }> {
  const select = context.db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { invitations: rows.map(invitationRecord), nextCursor };
}
