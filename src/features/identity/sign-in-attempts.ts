import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { limitedAddress } from '../../platform/net/index.ts';
import { accountWindowMs, withAttemptOfAccount, withAttemptOfAddress } from './failure-limits.ts';
import { heldIfRefused } from './held-back.ts';
import type { IdentityContext } from './identity-context.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** Who gives a password. */
export interface Client {
  /** The client's address. */
  address: string;
  /** The cookie of a browser that signed in before. */
  browser?: string | undefined;
  /** Aborts when nobody waits for the answer. */
  signal?: AbortSignal | undefined;
}

/** Who gives which account's password. */
export interface Attempted {
  account: string;
  /** Whether the client is known to own the account: neither the account's delay nor the budget of its address holds it up then. */
  known: boolean;
  client: Client;
}

/** An attempt that counts as a failure until {@link forgetAttempt}. */
export interface Attempt {
  account: string;
  /** As which addresses it was counted; '' is all of them. */
  addresses: readonly string[];
  /** Epoch milliseconds. */
  atMs: number;
}

/** The result of an attempt: a failure may be recorded after it was answered, so that the time tells nothing about the account. */
export type Outcome<T> = { success: T } | { failure: ServiceError; record: () => Promise<void> };

/** How often a count is tried again that others change at the same time. */
const maxTries = 25;

/**
 * Checks a password when it is the turn of the client's address, within the limits of the address and the account (docs/semantics.md, "Sign-in limit").
 *
 * @param check called when the attempt has been counted
 *
 * Errors: the failure; `rate_limited` where a limit is reached or too much waits.
 */
export function countedAttempt<T>(
  context: IdentityContext,
  attempt: Attempted,
  check: (attempt: Attempt) => Promise<Outcome<T>>,
): Promise<T> {
  return heldIfRefused(context.signInLimits.heldBack, () => inTurn(context, attempt, check));
}

async function inTurn<T>(
  context: IdentityContext,
  { account, known, client }: Attempted,
  check: (attempt: Attempt) => Promise<Outcome<T>>,
): Promise<T> {
  const { turns, failedCredentials, recording, onUnrecorded } = context.signInLimits;
  const requireBudget = () => {
    if (!known) failedCredentials.refuse(client.address);
  };
  requireBudget();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const work = async () => {
    // Others of this address may have spent it meanwhile.
    requireBudget();
    const outcome = await check(await reserveAttempt(context, account, client.address, known));
    if ('success' in outcome) {
      resolve(outcome.success);
      return;
    }
    failedCredentials.count(client.address).then(() => reject(outcome.failure), reject);
    // The turn lasts until it is recorded.
    await outcome.record().catch(onUnrecorded);
  };
  const whole = turns.run(limitedAddress(client.address), work, client.signal).catch(reject);
  recording.add(whole);
  void whole.finally(() => recording.delete(whole));
  return promise;
}

/** An email has no control characters, and PostgreSQL rejects NUL. */
export function accountOf(email: string): string {
  return email
    .trim()
    .toLowerCase()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/**
 * Counts an attempt as a failure before the password is checked, so that concurrent attempts on several replicas are counted like sequential ones: the counts
 * are written only where nobody else has changed them since they were read.
 *
 * Errors: `rate_limited` after too many failures.
 */
async function reserveAttempt(context: IdentityContext, account: string, address: string, known: boolean): Promise<Attempt> {
  const own = limitedAddress(address);
  const addresses = known ? [own] : ['', own];
  for (let tried = 0; tried < maxTries; tried++) {
    const before = await failuresOf(context.db, account, addresses);
    const atMs = context.clock.now();
    const after = new Map(
      addresses.map((name) => [name, (name === '' ? withAttemptOfAccount : withAttemptOfAddress)(before.get(name) ?? [], atMs)]),
    );
    if (await written(context.db, account, before, after)) return { account, addresses, atMs };
  }
  throw new ServiceError('rate_limited', 'Too many sign-ins at once; wait a moment and try again.', { retryAfterSeconds: 1 });
}

async function failuresOf(
  db: Database,
  account: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await db
    .selectFrom('sign_in_failures')
    .select(['address', 'failed_at'])
    .where('account', '=', account)
    .where('address', 'in', addresses)
    .execute();
  return new Map(rows.map((row) => [row.address, row.failed_at]));
}

/**
 * Writes counts that are still as they were; false where another attempt came between. One statement: those of an account and address change together.
 */
async function written(
  db: Database,
  account: string,
  before: ReadonlyMap<string, readonly number[]>,
  after: ReadonlyMap<string, readonly number[]>,
): Promise<boolean> {
  const write = (
    name: string,
    from: RawBuilder<unknown>,
  ) => sql`INSERT INTO sign_in_failures AS failures (account, address, failed_at)
      SELECT ${account}, ${name}, ${after.get(name)}::bigint[] ${from}
      ON CONFLICT (account, address) DO UPDATE SET failed_at = excluded.failed_at
      WHERE failures.failed_at = ${before.get(name) ?? []}::bigint[]
      RETURNING 1`;
  const [first = '', second] = after.keys();
  const { rows } = await (
    second === undefined ? write(first, sql``) : sql`WITH written AS (${write(first, sql``)}) ${write(second, sql`FROM written`)}`
  ).execute(db);
  return rows.length > 0;
}

/** Removes an attempt that was successful from the counts. */
export async function forgetAttempt(transaction: Transaction, { account, addresses, atMs }: Attempt): Promise<void> {
  const place = sql`array_position(failed_at, ${atMs}::bigint)`;
  await sql`UPDATE sign_in_failures SET failed_at = failed_at[:${place} - 1] || failed_at[${place} + 1:]
    WHERE account = ${account} AND address = ANY(${[...addresses]}::text[]) AND ${atMs}::bigint = ANY(failed_at)`.execute(
    transaction,
  );
}

/** Deletes the failures that count no longer, also those that replicas of an earlier release have counted. */
export async function forgetOldFailures({ db, clock }: IdentityContext): Promise<void> {
  const [since, until] = [clock.now() - accountWindowMs, clock.now() + accountWindowMs];
  await sql`DELETE FROM sign_in_failures
    WHERE NOT EXISTS (SELECT FROM unnest(failed_at) AS at WHERE at > ${since}::bigint AND at < ${until}::bigint)`.execute(db);
  await db
    .deleteFrom('login_failures')
    .where((failure) => failure.or([failure('failed_at', '<', new Date(since)), failure('failed_at', '>=', new Date(until))]))
    .execute();
}
