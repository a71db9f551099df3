import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isApiKey, makeApiKey } from '../../contract/api-key.ts';
import * as wire from '../../contract/identity.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { byKey, firstKey, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService } from './identity-service.fixture.ts';
import { ApiKeyCache } from './api-key-cache.ts';

const unknownId = '0197a000-0000-7000-8000-000000000009';
let service: IdentityService;
let owner: By;
let path: string;

beforeAll(async () => {
  service = await openIdentityService();
  owner = service.owner.by;
  path = `/v1/projects/${service.first.projectId}/api-keys`;
});
afterAll(() => service.close());

const whoami = (by: By) => service.request(by, 'GET', '/v1/sdk/whoami');
const works = async (key: string) => (await whoami(byKey(key))).status;
const create = async (name = 'Key'): Promise<{ id: string; key: string; prefix: string }> =>
  (await service.request(owner, 'POST', path, { name })).body;
const rotate = (id: string, body?: unknown) => service.request(owner, 'POST', `${path}/${id}/rotate`, body);
const revoke = (id: string) => service.request(owner, 'DELETE', `${path}/${id}`);
const listed = async (id: string) => {
  const { body } = await service.request(owner, 'GET', `${path}?limit=200`);
  return body.apiKeys.find((key: { id: string }) => key.id === id);
};
const iso = (ms: number) => new Date(ms).toISOString();

describe('GET /v1/sdk/whoami', () => {
  it('answers the key, its project and its organization', async () => {
    const { status, body } = await whoami(byKey(firstKey));
    expect(status).toBe(200);
    expect(wire.whoami.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      projectId: service.first.projectId,
      organizationId: service.organizationId,
      organizationSlug: 'default',
      plan: 'scale',
    });
    expect((await whoami({ authorization: `Bearer ${firstKey}` })).body).toEqual(body);
  });

  it('is 401 for missing, malformed, unknown and revoked keys', async () => {
    const changed = firstKey.slice(0, -1) + (firstKey.endsWith('a') ? 'b' : 'a');
    for (const by of [
      {},
      owner,
      byKey(''),
      byKey('spw_'),
      byKey(changed),
      byKey(makeApiKey()),
      byKey(` ${firstKey} x`),
      byKey('x'.repeat(8000)),
    ] as By[]) {
      const { status, body } = await whoami(by);
      expect([status, body.code]).toEqual([401, 'unauthenticated']);
    }
  });
});

describe('a new key', () => {
  it('is shown once and works at once', async () => {
    const key = makeApiKey();
    expect(await works(key)).toBe(401);
    const { status, body } = await service.request(owner, 'POST', path, { name: ' CI ' });
    expect(status).toBe(201);
    expect(wire.apiKeyCreated.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ name: 'CI', prefix: body.key.slice(0, 10), lastUsedAt: null, previousSecretExpiresAt: null });
    expect(isApiKey(body.key)).toBe(true);
    expect(await works(body.key)).toBe(200);
    const { key: _, ...shown } = body;
    expect(await listed(body.id)).toEqual({ ...shown, lastUsedAt: iso(service.clock.now()) });
  });

  it('is stored only as its SHA-256', async () => {
    const { key, id } = await create();
    const row = await service.context.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(Buffer.from(row.secret_sha256).equals(hashSecret(key))).toBe(true);
    expect(JSON.stringify(row)).not.toContain(key.slice(10));
  });

  it('needs keys:manage, and a name', async () => {
    for (const role of ['member', 'viewer']) {
      const { by } = await service.person(role);
      for (const method of ['POST', 'GET'])
        expect((await service.request(by, method, path, method === 'POST' ? { name: 'a' } : undefined)).status).toBe(403);
    }
    const admin = await service.person('admin');
    expect((await service.request(admin.by, 'POST', path, { name: 'a' })).status).toBe(201);
    for (const body of [{}, { name: '' }, { name: 'a', key: makeApiKey() }])
      expect((await service.request(owner, 'POST', path, body)).status).toBe(400);
  });
});

describe('rotating a key', () => {
  it('keeps the old secret valid for a day, under the same id', async () => {
    const { id, key } = await create();
    const until = service.clock.now() + 86_400_000;
    const { status, body } = await rotate(id);
    expect([status, body]).toEqual([200, { id, key: expect.any(String), previousSecretExpiresAt: iso(until) }]);
    expect([await works(key), await works(body.key)]).toEqual([200, 200]);
    expect((await whoami(byKey(key))).body.keyId).toBe(id);
    expect(await listed(id)).toMatchObject({ prefix: body.key.slice(0, 10), previousSecretExpiresAt: iso(until) });

    service.clock.set(until - 1);
    expect(await works(key)).toBe(200);
    service.clock.set(until);
    expect([await works(key), await works(body.key)]).toEqual([401, 200]);
    owner = await service.signIn('owner@example.com', 'correct horse battery');
    expect(await listed(id)).toMatchObject({ previousSecretExpiresAt: null });
  });

  it('a grace of 0 ends the old secret at once; the one before it always ends', async () => {
    const { id, key: first } = await create();
    const second = (await rotate(id, { graceSeconds: 60 })).body.key;
    const third = (await rotate(id, {})).body.key;
    expect(await Promise.all([first, second, third].map(works))).toEqual([401, 200, 200]);
    const fourth = (await rotate(id, { graceSeconds: 0 })).body.key;
    expect(await Promise.all([first, second, third, fourth].map(works))).toEqual([401, 401, 401, 200]);
  });

  it.each([{ graceSeconds: -1 }, { graceSeconds: 1.5 }, { graceSeconds: '60' }, { graceSeconds: 1e9 }, { grace: 1 }, []])(
    'refuses %j',
    async (body) => {
      const { id } = await create();
      expect((await rotate(id, body)).body.code).toBe('invalid_request');
    },
  );

  it('accepts an empty body', async () => {
    const { id } = await create();
    expect((await rotate(id, '')).status).toBe(200);
  });
});

describe('revoking a key', () => {
  it('ends all of its secrets at once', async () => {
    const { id, key } = await create();
    const second = (await rotate(id)).body.key;
    expect([await works(key), await works(second)]).toEqual([200, 200]);
    const { status, text } = await revoke(id);
    expect([status, text]).toEqual([204, '']);
    expect([await works(key), await works(second)]).toEqual([401, 401]);
    expect(await listed(id)).toBeUndefined();
    expect((await revoke(id)).status).toBe(404);
    expect((await rotate(id)).status).toBe(404);
  });

  it('is 404 for a key of another project', async () => {
    const other = await service.stranger();
    const theirs = (await service.request(other.by, 'POST', `/v1/projects/${other.projectId}/api-keys`, { name: 'a' })).body;
    for (const id of [unknownId, 'x', '%20', theirs.id]) {
      expect((await revoke(id)).body.code, id).toBe('not_found');
      expect((await rotate(id, '{')).body.code, id).toBe('not_found');
    }
    expect(await works(theirs.key)).toBe(200);
  });
});

describe('the cache of keys', () => {
  it('sees a key that another process revoked or created within 3 s', async () => {
    const { id, key } = await create();
    const made = makeApiKey();
    expect([await works(key), await works(made)]).toEqual([200, 401]);
    const { clock } = service;
    const { db } = service.context;
    await db
      .updateTable('api_keys')
      .set({ revoked_at: new Date(clock.now()) })
      .where('id', '=', id)
      .execute();
    const other = await create();
    await db
      .updateTable('api_keys')
      .set({ secret_sha256: hashSecret(made) })
      .where('id', '=', other.id)
      .execute();
    service.context.keys.clear();
    expect([await works(key), await works(made)]).toEqual([401, 200]);

    await db
      .updateTable('api_keys')
      .set({ revoked_at: new Date(clock.now()) })
      .where('id', '=', other.id)
      .execute();
    clock.advance(2_999);
    expect(await works(made)).toBe(200);
    clock.advance(1);
    expect(await works(made)).toBe(401);
  });

  it('sees it also when the clock was set back meanwhile', async () => {
    const { clock, context } = service;
    const { id, key } = await create();
    expect(await works(key)).toBe(200);
    clock.advance(-3_600_000);
    const revoked = { revoked_at: new Date(clock.now()) };
    await context.db.updateTable('api_keys').set(revoked).where('id', '=', id).execute();
    expect(await works(key)).toBe(401);
    clock.advance(3_600_000);
  });

  it('serves a known key for a while when the database does not answer, and then as it answers', async () => {
    const { clock } = service;
    const { key, id } = await create();
    const busy = Promise.withResolvers<void>();
    let isBusy = false;
    // The dialect waits as behind a long transaction.
    const db = service.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isBusy) await busy.promise;
        return result;
      },
    });
    const cache = new ApiKeyCache(db, clock, { patienceMs: 1 });
    expect((await cache.find(key))?.keyId).toBe(id);
    await revoke(id);
    isBusy = true;
    clock.advance(3_000);
    const served = await Promise.all([cache.find(key), cache.find(key)]);
    expect([...served, await cache.find(key)].map((caller) => caller?.keyId)).toEqual([id, id, id]);
    clock.advance(10_000);
    const later = cache.find(key);
    isBusy = false;
    busy.resolve();
    expect(await later).toBeNull();
    expect(await cache.find(key)).toBeNull();
  });

  it('concurrent look-ups share a query, and a cached key needs none', async () => {
    const { db, clock } = service.context;
    const { key } = await create();
    let asked = 0;
    const counting = new Proxy(db, {
      get: (target, property) => {
        if (property === 'selectFrom') asked += 1;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const cache = new ApiKeyCache(counting, clock);
    const found = await Promise.all(Array.from({ length: 50 }, () => cache.find(key)));
    expect(found.every((caller) => caller?.projectId === service.first.projectId)).toBe(true);
    expect(await cache.find(key)).not.toBeNull();
    expect(asked).toBe(1);
    expect(await cache.find('spw_malformed')).toBeNull();
    expect(asked).toBe(1);
  });

  it('does not cache a result that was read before the key was revoked', async () => {
    const { db, clock } = service.context;
    const { id, key } = await create();
    const cache = new ApiKeyCache(db, clock);
    const early = cache.find(key);
    cache.clear();
    await early;
    await db
      .updateTable('api_keys')
      .set({ revoked_at: new Date(clock.now()) })
      .where('id', '=', id)
      .execute();
    expect(await cache.find(key)).toBeNull();
  });

  it('stores the last use at most once a minute', async () => {
    const { id, key } = await create();
    const first = service.clock.now();
    await works(key);
    service.clock.advance(59_000);
    await works(key);
    // Requests do not wait for the last use to be stored.
    const lastUsed = async () => (await listed(id)).lastUsedAt;
    await expect.poll(lastUsed).toBe(iso(first));
    service.clock.advance(1_000);
    await works(key);
    await expect.poll(lastUsed).toBe(iso(first + 60_000));
  });
});

describe('personal tokens', () => {
  it('act as their user wherever a session does, until they are revoked', async () => {
    const { status, body } = await service.request(owner, 'POST', '/v1/me/tokens', { name: 'CI' });
    expect(status).toBe(201);
    expect(wire.tokenCreated.strict().safeParse(body).error).toBeUndefined();
    expect(body.token).toMatch(/^spwu_[0-9A-Za-z]{40}$/);
    const by = { authorization: `Bearer ${body.token}` };
    expect((await service.request(by, 'GET', '/v1/auth/session')).body.user.id).toBe(service.owner.userId);
    expect(
      (await service.request({ ...by, origin: 'http://elsewhere.example' }, 'POST', path, { name: 'By token' })).status,
    ).toBe(201);
    expect((await whoami(by)).status).toBe(401);
    const { tokens, nextCursor } = (await service.request(by, 'GET', '/v1/me/tokens')).body;
    const { token: _, ...shown } = body;
    expect([tokens, nextCursor]).toEqual([[{ ...shown, lastUsedAt: iso(service.clock.now()) }], null]);

    expect((await service.request(by, 'DELETE', `/v1/me/tokens/${body.id}`)).status).toBe(204);
    expect((await service.request(by, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await service.request(by, 'GET', path)).status).toBe(403);
  });

  it('are 404 for other users', async () => {
    const { by } = await service.person('admin');
    const { id } = (await service.request(owner, 'POST', '/v1/me/tokens', { name: 'Mine' })).body;
    for (const token of [id, unknownId, 'x'])
      expect((await service.request(by, 'DELETE', `/v1/me/tokens/${token}`)).body.code).toBe('not_found');
    expect((await service.request(by, 'GET', '/v1/me/tokens')).body.tokens).toEqual([]);
    expect((await service.request(owner, 'POST', '/v1/me/tokens', { name: '' })).status).toBe(400);
  });
});
