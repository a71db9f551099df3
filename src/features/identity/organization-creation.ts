import { ServiceError } from '../../contract/errors.ts';
import type { IdentityContext } from './identity-context.ts';

const reasons = {
  operators: 'Organizations are created by the operator of this installation (spanwise org create); ask them.',
  owners: 'Organizations are created by the owners of the first organization of this installation; ask one of them.',
};

/** Throws `forbidden` unless the user may create organizations (`SPANWISE_ORGANIZATION_CREATION`). */
export async function requireOrganizationCreation(context: IdentityContext, userId: string): Promise<void> {
  const { organizationCreation } = context.accounts;
  if (organizationCreation === 'anyone' || (await mayCreateOrganizations(context, userId))) return;
  throw new ServiceError('forbidden', reasons[organizationCreation]);
}

/** Whether a user may create organizations. */
export async function mayCreateOrganizations({ db, accounts }: IdentityContext, userId: string): Promise<boolean> {
  if (accounts.organizationCreation !== 'owners') return accounts.organizationCreation === 'anyone';
  const owner = await db
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .where('organization_id', '=', (query) =>
      query.selectFrom('organizations').select('id').orderBy('created_at').orderBy('id').limit(1),
    )
    .executeTakeFirst();
  return owner !== undefined;
}
