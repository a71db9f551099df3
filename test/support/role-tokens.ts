import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { makeApiKey } from '../../src/contract/api-key.ts';
import type { Role } from '../../src/contract/permissions.ts';
import type { TestApp } from './app.ts';

/** Stores a person with a role in the first organization. @returns the header of a personal token of theirs */
export async function tokenOfRole(app: TestApp, role: Role): Promise<{ authorization: string }> {
  const { db } = app.stores.postgres;
  const [userId, token] = [randomUUID(), `spwu_${makeApiKey().slice(4)}`];
  const email = `${role}-${userId.slice(0, 8)}@example.com`;
  const now = new Date(app.clock.now()).toISOString();
  const hash = createHash('sha256').update(token).digest();
  await sql`INSERT INTO users (id, email, name, password_hash, created_at)
    VALUES (${userId}::uuid, ${email}, ${role}, '', ${now}::timestamptz)`.execute(db);
  await sql`INSERT INTO memberships (organization_id, user_id, role, created_at)
    VALUES (${app.organizationId}::uuid, ${userId}::uuid, ${role}, ${now}::timestamptz)`.execute(db);
  await sql`INSERT INTO personal_tokens (id, user_id, name, prefix, secret_sha256, created_at)
    VALUES (${randomUUID()}::uuid, ${userId}::uuid, 'test', ${token.slice(0, 11)}, ${hash}, ${now}::timestamptz)`.execute(db);
  return { authorization: `Bearer ${token}` };
}
