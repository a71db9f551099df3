import { systemActor } from '../../contract/actor.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import type { IdentityContext } from './identity-context.ts';
import { createInvitation } from './invitations/create-invitation.ts';
import { organizationByOperator } from './organization-by-operator.ts';
import type { OrganizationByOperator } from './organization-by-operator.ts';
import { findOrganization, setPlan } from './organizations.ts';
import { resetPassword } from './passwords/reset-password.ts';

/** What an operator does without an endpoint, by name: input and result of each, as JSON. A result of null: there is no such user or organization. */
export interface OperatorOperations {
  /** Result: the new password. */
  'reset-password': { input: { email: string }; result: string | null };
  'set-plan': { input: { organization: string; plan: Plan }; result: boolean };
  /** Result: with the link with which the owner joins. */
  'create-organization': { input: { name: string; owner: string }; result: OrganizationByOperator };
  /** Result: the link with which the person joins. */
  invite: { input: { organization: string; email: string; role: Role }; result: string | null };
}
export type OperatorOperation = keyof OperatorOperations;

type Verbs = {
  [Name in OperatorOperation]: (
    context: IdentityContext,
    input: OperatorOperations[Name]['input'],
  ) => Promise<OperatorOperations[Name]['result']>;
};

const verbs: Verbs = {
  'reset-password': (context, { email }) => resetPassword(context, email),
  'set-plan': (context, { organization, plan }) => setPlan(context, organization, plan),
  'create-organization': organizationByOperator,
  invite: async (context, { organization, email, role }) => {
    const found = await findOrganization(context, organization);
    if (!found) return null;
    const inviting = { organizationId: found.id, role: 'owner', actor: systemActor } as const;
    return (await createInvitation(context, inviting, { email, role })).url;
  },
};

/**
 * Runs an operation of the operator's command line, in the command or in the running service. Links are returned also where mail is configured.
 *
 * Errors: those of the verb.
 */
export function operate<Name extends OperatorOperation>(
  context: IdentityContext,
  name: Name,
  input: OperatorOperations[Name]['input'],
): Promise<OperatorOperations[Name]['result']> {
  return verbs[name]({ ...context, accounts: { ...context.accounts, mailer: null } }, input);
}

/** Whether a name, as a command of another release may send it, is that of an operation. */
export function isOperatorOperation(name: string): name is OperatorOperation {
  return Object.hasOwn(verbs, name);
}
