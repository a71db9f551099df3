import { plainAddress } from '../../platform/net/index.ts';
import { recordAuditInEach } from '../audit/index.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

interface Person {
  id: string;
  email: string;
  name: string;
}

/** Records a sign-in, or a wrong password, in every organization of the user. */
export async function recordSignIn(
  transaction: Transaction,
  { clock }: Pick<IdentityContext, 'clock'>,
  kind: 'auth.login' | 'auth.login_failed',
  { id, email, name }: Person,
  address: string,
): Promise<void> {
  await recordAuditInEach(transaction, clock, await organizationIdsOf(transaction, id), {
    projectId: null,
    kind,
    actor: { type: 'user', id, email, name },
    subject: id,
    detail: { address: plainAddress(address) },
  });
}

/** Records a wrong password in every organization of the user. An unknown user has none, and costs no transaction. */
export async function recordFailure(context: IdentityContext, user: Person | undefined, address: string): Promise<void> {
  if (!user) return;
  await context.db.transaction().execute((transaction) => recordSignIn(transaction, context, 'auth.login_failed', user, address));
}
