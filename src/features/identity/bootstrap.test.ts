import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isApiKey, makeApiKey } from '../../contract/api-key.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { verifyPassword } from '../../platform/crypto/passwords.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { nowMs } from './identity-service.fixture.ts';
import type { FirstStartInput } from './bootstrap.ts';
import { bootstrap, identityContext } from './index.ts';
import type { IdentityContext } from './identity-context.ts';

const nothing: FirstStartInput = { adminEmail: null, adminPassword: null, apiKey: null };
let opened: Awaited<ReturnType<typeof openTestPostgres>>;
let context: IdentityContext;

beforeAll(async () => {
  opened = await openTestPostgres();
});
afterAll(() => opened.close());
beforeEach(async () => {
  context = identityContext(opened.postgres.db, new ManualClock(nowMs));
  await context.db.deleteFrom('organizations').execute();
  await context.db.deleteFrom('users').execute();
});

const count = async (table: 'users' | 'organizations' | 'memberships' | 'projects' | 'api_keys') =>
  (await context.db.selectFrom(table).selectAll().execute()).length;

it('creates an owner, an organization on the plan scale, a project and a key from the given settings', async () => {
  const apiKey = makeApiKey();
  const first = await bootstrap(context, { adminEmail: 'Me@Example.com', adminPassword: 'my password', apiKey });
  expect(first).toEqual({
    email: 'Me@Example.com',
    generatedPassword: null,
    apiKey,
    apiKeyGenerated: false,
    projectId: expect.any(String),
  });
  const user = await context.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  expect(await verifyPassword(user.password_hash, 'my password')).toBe(true);
  expect(await context.db.selectFrom('organizations').select('plan').execute()).toEqual([{ plan: 'scale' }]);
  expect(await context.db.selectFrom('memberships').select(['user_id', 'role']).execute()).toEqual([
    { user_id: user.id, role: 'owner' },
  ]);
  expect(await context.keys.find(apiKey)).toMatchObject({ projectId: first?.projectId, plan: 'scale' });
});

it('generates and returns what is not given', async () => {
  const first = await bootstrap(context, nothing);
  expect(isApiKey(first?.apiKey ?? '')).toBe(true);
  const { email, password_hash } = await context.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  expect(email).toBe(first?.email);
  expect(await verifyPassword(password_hash, first?.generatedPassword ?? '')).toBe(true);
});

it('does nothing when a user exists', async () => {
  await bootstrap(context, nothing);
  expect(await bootstrap(context, { ...nothing, apiKey: makeApiKey() })).toBeNull();
  expect([await count('users'), await count('api_keys')]).toEqual([1, 1]);
});

it('refuses a common password, and writes nothing', async () => {
  await expect(bootstrap(context, { ...nothing, adminPassword: 'Password1' })).rejects.toThrow('SPANWISE_ADMIN_PASSWORD');
  expect(await bootstrap(context, nothing)).not.toBeNull();
});

it('happens once when two replicas start concurrently', async () => {
  const start = () => opened.postgres.withLock('first-start', () => bootstrap(context, nothing));
  const both = await Promise.all([start(), start()]);
  expect(both.filter((first) => first !== null)).toHaveLength(1);
  expect(await count('organizations')).toBe(1);
});

it('writes nothing when a statement fails', async () => {
  const owner = await bootstrap(context, nothing);
  const projectId = owner?.projectId ?? '';
  const apiKey = makeApiKey();
  // The last statement fails: the key exists although no user does.
  await context.db.deleteFrom('api_keys').execute();
  await context.db.deleteFrom('users').execute();
  await context.db.updateTable('organizations').set({ slug: 'other' }).execute();
  const now = new Date(nowMs);
  await context.db
    .insertInto('api_keys')
    .values({
      id: projectId,
      project_id: projectId,
      name: 'taken',
      prefix: '',
      secret_sha256: hashSecret(apiKey),
      previous_sha256: null,
      previous_expires_at: null,
      created_at: now,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
  await expect(bootstrap(context, { ...nothing, apiKey })).rejects.toThrow('api_keys_secret');
  expect([await count('users'), await count('organizations'), await count('projects')]).toEqual([0, 1, 1]);
  await context.db.deleteFrom('api_keys').execute();
  expect(await bootstrap(context, { ...nothing, apiKey })).not.toBeNull();
});
