import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migratePostgres } from './migrate.ts';
import { backends } from './postgres-backends.fixture.ts';
import { isOtherSecret, requireSameSecret } from './secret-fingerprint.ts';

const migrations = join(import.meta.dirname, '../../../migrations/postgres');
const [first, other] = ['a'.repeat(64), 'b'.repeat(64)];

describe.each(backends)('the fingerprint of the secret, $mode', (backend) => {
  test('only the first secret is accepted, and the database does not contain it', async () => {
    const database = await backend.create({ migrated: true });
    const postgres = await database.open();
    await migratePostgres(postgres, migrations);
    expect(await isOtherSecret(postgres.db, null)).toBe(false);
    await Promise.all([requireSameSecret(postgres.db, first), requireSameSecret(postgres.db, first)]);
    const refused = await requireSameSecret(postgres.db, other).then(
      () => expect.unreachable('another secret was taken'),
      (error: Error) => error,
    );
    expect(refused.name).toBe('DatabaseError');
    expect(refused.message).toMatch(/^SPANWISE_SECRET_KEY: .* give every replica the same SPANWISE_SECRET_KEY/);
    expect(refused.message).not.toContain(other);
    await requireSameSecret(postgres.db, first);
    const others = [first, other, null].map((secret) => isOtherSecret(postgres.db, secret));
    expect(await Promise.all(others)).toEqual([false, true, true]);
    const { rows } = await sql<{ value: string }>`SELECT value FROM installation`.execute(postgres.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value).not.toContain(first);
    await postgres.close();
    await database.remove();
  });
});
