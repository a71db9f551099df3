import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import { recordAuditInEach } from '../audit/index.ts';
import { nowOf } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationIdsOf } from './organization-ids.ts';
import type { IdentityTables } from './tables.ts';

/** Failures per window for an account and address (docs/semantics.md, "Sign-in limit"). */
const maxFailures = 10;
const failureWindowMs = 15 * 60_000;
/** An id that no user has. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Runs an attempt to give the password of an account. The attempts of an account and address run one after another, and each counts as a failure
 * until {@link forgetAttempt}.
 *
 * @param attempt called with the account, which is the email in lower case, and the attempt's id
 *
 * Errors: those of `attempt`; `rate_limited` after too many failures.
 */
export function countedAttempt<T>(
  context: IdentityContext,
  email: string,
  address: string,
  attempt: (account: string, id: string) => Promise<T>,
): Promise<T> {
  const account = accountOf(email);
  return context.signIns.next(`${account} ${address}`, async () =>
    attempt(account, await reserveAttempt(context, account, address)),
  );
}

/** An email has no control characters, and PostgreSQL rejects NUL. */
function accountOf(email: string): string {
  return email
    .trim()
    .toLowerCase()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/**
 * Records a sign-in, or a wrong password, in every organization of the user. The same statements run for an unknown email, so that response times do not reveal
 * whether a user exists.
 */
export async function recordSignIn(
  transaction: Transaction<IdentityTables>,
  { clock }: IdentityContext,
  kind: 'auth.login' | 'auth.login_failed',
  user: { id: string; email: string; name: string } | undefined,
  address: string,
): Promise<void> {
  const { id, email, name } = user ?? { id: nobody, email: '', name: '' };
  await recordAuditInEach(transaction, clock, await organizationIdsOf(transaction, id), {
    projectId: null,
    kind,
    actor: { type: 'user', id, email, name },
    subject: id,
    detail: { address },
  });
}

/**
 * Counts an attempt as a failure before the password is checked, so that concurrent attempts on several replicas are counted like sequential
 * ones. A success removes it.
 *
 * @returns the attempt's id
 *
 * Errors: `rate_limited` after too many failures.
 */
async function reserveAttempt(context: IdentityContext, account: string, address: string): Promise<string> {
  const { since, until } = countedTimes(context);
  const id = uuidv7();
  const oldest = await context.db.transaction().execute(async (transaction) => {
    // Released at the end of the transaction, before the password is hashed.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-in ${account} ${address}`}, 0))`.execute(transaction);
    const failures = await transaction
      .selectFrom('login_failures')
      .select('failed_at')
      .where('account', '=', account)
      .where('address', '=', address)
      .where('failed_at', '>', since)
      .where('failed_at', '<', until)
      .orderBy('failed_at', 'desc')
      .limit(maxFailures)
      .execute();
    if (failures.length < maxFailures)
      await transaction
        .insertInto('login_failures')
        .values({ id, account, address, failed_at: nowOf(context) })
        .execute();
    return failures[maxFailures - 1];
  });
  if (!oldest) return id;
  throw new ServiceError('rate_limited', 'Too many wrong passwords; wait a few minutes and try again.', {
    retryAfterSeconds: (oldest.failed_at.getTime() + failureWindowMs - context.clock.now()) / 1000,
  });
}

/** Removes an attempt that was successful from the count. */
export async function forgetAttempt(transaction: Transaction<IdentityTables>, id: string): Promise<void> {
  await transaction.deleteFrom('login_failures').where('id', '=', id).execute();
}

/** Deletes the failures that count no longer. */
export async function forgetOldFailures(context: IdentityContext): Promise<void> {
  const { since, until } = countedTimes(context);
  await context.db
    .deleteFrom('login_failures')
    .where((failure) => failure.or([failure('failed_at', '<', since), failure('failed_at', '>=', until)]))
    .execute();
}

/** Between these times, both excluded, a failure counts. Those of a clock that was ahead would lock the account for as long as it was ahead. */
function countedTimes({ clock }: IdentityContext): { since: Date; until: Date } {
  const nowMs = clock.now();
  return { since: new Date(nowMs - failureWindowMs), until: new Date(nowMs + failureWindowMs) };
}
