import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Database } from './postgres.ts';

/**
 * Makes sure that every process on a database encrypts with the same secret: the first one leaves the secret's fingerprint there (a keyed
 * hash, which does not tell the secret), and each that comes later compares. Otherwise a credential stored through one replica could not be read
 * by another, and nobody would know until it is used.
 *
 * Errors: {@link DatabaseError} when it is another secret.
 */
export async function requireSameSecret(db: Database, secret: string): Promise<void> {
  const own = createHmac('sha256', secret).update('spanwise secret fingerprint').digest('hex');
  await sql`INSERT INTO installation (name, value) VALUES ('secret_fingerprint', ${own}) ON CONFLICT (name) DO NOTHING`.execute(
    db,
  );
  const { rows } = await sql<{ value: string }>`SELECT value FROM installation WHERE name = 'secret_fingerprint'`.execute(db);
  if (rows[0]?.value === own) return;
  throw new DatabaseError(
    'SPANWISE_SECRET_KEY: the credentials in this database are encrypted with another key than this process has; give every replica the ' +
      'same SPANWISE_SECRET_KEY, that of the first one (or what stands in secret.key of its data directory)',
  );
}
