import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Database } from './tables.ts';

/**
 * Checks that all processes on a database encrypt with the same secret. The first process stores the secret's fingerprint (a keyed hash,
 * which does not reveal the secret); later ones compare. With different secrets a replica could not decrypt credentials stored by another.
 *
 * Errors: {@link DatabaseError} when the secret differs.
 */
export async function requireSameSecret(db: Database, secret: string): Promise<void> {
  await sql`INSERT INTO installation (name, value) VALUES ('secret_fingerprint', ${fingerprintOf(secret)})
    ON CONFLICT (name) DO NOTHING`.execute(db);
  if (await isOtherSecret(db, secret)) throw new DatabaseError(otherSecret);
}

/** What to do about a secret that {@link requireSameSecret} would refuse. */
export const otherSecret =
  'SPANWISE_SECRET_KEY: the credentials in this database are encrypted with another key than this process has; give every replica the ' +
  'same SPANWISE_SECRET_KEY, that of the first start (or none, where the data directory of that start has it in secret.key)';

/** Whether the database has the fingerprint of another secret. @param secret null: of any */
export async function isOtherSecret(db: Database, secret: string | null): Promise<boolean> {
  const { rows } = await sql<{ value: string }>`SELECT value FROM installation WHERE name = 'secret_fingerprint'`.execute(db);
  const [stored] = rows;
  return stored !== undefined && (secret === null || stored.value !== fingerprintOf(secret));
}

/** Lets the next process decide which secret the database has; what the former one encrypts cannot be used any more. */
export async function forgetSecret(db: Database): Promise<void> {
  await sql`DELETE FROM installation WHERE name = 'secret_fingerprint'`.execute(db);
}

function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('spanwise secret fingerprint').digest('hex');
}
