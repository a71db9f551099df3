import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Database } from './postgres.ts';

/**
 * Checks that all processes on a database encrypt with the same secret. The first process stores the secret's fingerprint (a keyed hash,
 * which does not reveal the secret); later ones compare. With different secrets a replica could not decrypt credentials stored by another.
 *
 * Errors: {@link DatabaseError} when the secret differs.
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
