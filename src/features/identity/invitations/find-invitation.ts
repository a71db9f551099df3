import { ServiceError } from '../../../contract/errors.ts';
import type { Role } from '../../../contract/permissions.ts';
import { hashSecret } from '../../../platform/crypto/secrets.ts';
import { nowOf } from '../identity-context.ts';
import type { IdentityContext } from '../identity-context.ts';

/** An invitation, as the holder of its link may see it. */
export interface FoundInvitation {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  /** Proposed for a new account. */
  name: string | null;
  role: Role;
  expiresAt: string;
  /** The link was mailed to the person; otherwise the inviter saw it. */
  mailed: boolean;
}

/** The invitation of a link. Errors: `not_found` when it is used, expired or deleted. */
export async function findInvitation(context: IdentityContext, token: string): Promise<FoundInvitation> {
  const row = await context.db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .select([
      'i.id',
      'i.organization_id',
      'o.name as organizationName',
      'i.email',
      'i.name',
      'i.role',
      'i.expires_at',
      'i.mail_attempts',
    ])
    .where('i.token_sha256', '=', hashSecret(token))
    .where('i.expires_at', '>', nowOf(context))
    .executeTakeFirst();
  if (!row) throw noSuchLink();
  const { organization_id: organizationId, expires_at: expiresAt, mail_attempts: attempts, ...rest } = row;
  return { ...rest, organizationId, expiresAt: expiresAt.toISOString(), mailed: attempts > 0 };
}

export function noSuchLink(): ServiceError {
  return new ServiceError('not_found', 'This invitation was used or deleted, or has expired; ask who invited you for a new one.');
}
