import { v7 as uuidv7 } from 'uuid';
import { systemActor } from '../../contract/actor.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { createInvitation } from './invitations/create-invitation.ts';
import { underFreeSlug } from './slug.ts';

export interface OrganizationByOperator {
  id: string;
  slug: string;
  /** The link for its owner; null: it is mailed. */
  url: string | null;
}

/**
 * Creates an organization without members, and invites its owner. For the operator's command line.
 *
 * @param input the owner's email
 */
export async function organizationByOperator(
  context: IdentityContext,
  input: { name: string; owner: string },
): Promise<OrganizationByOperator> {
  const id = uuidv7();
  const slug = await underFreeSlug(input.name, 'organizations_slug', async (candidate) => {
    await context.db
      .insertInto('organizations')
      .values({ id, slug: candidate, name: input.name, plan: context.accounts.defaultPlan, created_at: nowOf(context) })
      .execute();
    return candidate;
  });
  const inviting = { organizationId: id, role: 'owner', actor: systemActor } as const;
  const { url } = await createInvitation(context, inviting, { email: input.owner, role: 'owner' });
  return { id, slug, url };
}
