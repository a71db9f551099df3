import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../contract/durations.ts';
import * as wire from '../../contract/identity.ts';
import { apiKeyScopes } from '../../contract/key-scopes.ts';
import { route } from '../../platform/http/index.ts';
import { z } from 'zod';
import { IdentityAuthenticator } from './authenticator.ts';
import { byKey, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService } from './identity-service.fixture.ts';
import { ApiKeyCache } from './api-key-cache.ts';

let service: IdentityService;
let owner: By;
let path: string;

beforeAll(async () => {
  service = await openIdentityService({}, (app) => {
    for (const scope of ['ingest', 'read'] as const)
      route(app, 'GET', `/v1/needs-${scope}`, {
        access: { who: 'key', keyScopes: [scope] },
        tags: [],
        summary: scope,
        answer: z.object({}),
        handle: () => ({}),
      });
    route(app, 'GET', '/v1/says-nothing', {
      access: { who: 'key' },
      tags: [],
      summary: 'nothing',
      answer: z.object({}),
      handle: () => ({}),
    });
  });
  owner = service.owner.by;
  path = `/v1/projects/${service.first.projectId}/api-keys`;
});
afterAll(() => service.close());

interface Made {
  id: string;
  key: string;
}

const iso = (ms: number) => new Date(ms).toISOString();
const create = async (body: object = {}): Promise<Made> =>
  (await service.request(owner, 'POST', path, { name: 'Key', ...body })).body;
const change = (id: string, body: unknown) => service.request(owner, 'PATCH', `${path}/${id}`, body);
const whoami = (key: string) => service.request(byKey(key), 'GET', '/v1/sdk/whoami');
const needs = async (scope: 'ingest' | 'read', key: string) =>
  (await service.request(byKey(key), 'GET', `/v1/needs-${scope}`)).status;
const listed = async (id: string) => {
  const { body } = await service.request(owner, 'GET', `${path}?limit=200`);
  return body.apiKeys.find((key: { id: string }) => key.id === id);
};
const signedIn = async () => {
  owner = await service.signIn('owner@example.com', 'correct horse battery');
};

describe('a key with scopes', () => {
  it('shows them, in their order', async () => {
    const { status, body } = await service.request(owner, 'POST', path, { name: 'CI', scopes: ['read', 'ingest'] });
    expect(status).toBe(201);
    expect(wire.apiKeyCreated.strict().safeParse(body).error).toBeUndefined();
    const shown = { scopes: ['ingest', 'read'], expiresAt: null, scopesUsed: [], unusedScopes: [] };
    expect(body).toMatchObject(shown);
    expect(await listed(body.id)).toMatchObject(shown);
    expect((await whoami(body.key)).body).toMatchObject({ keyId: body.id, scopes: ['ingest', 'read'] });
    const { key } = await create();
    expect((await whoami(key)).body.scopes).toBeNull();
  });

  it.each([
    { scopes: [] },
    { scopes: ['write'] },
    { scopes: ['read', 'read'] },
    { scopes: 'read' },
    { expiresAt: '2020-01-01T00:00:00.000Z' },
    { expiresAt: 'tomorrow' },
  ])('is not made or changed with %j', async (body) => {
    const { id } = await create();
    expect((await service.request(owner, 'POST', path, { name: 'Key', ...body })).body.code).toBe('invalid_request');
    expect((await change(id, body)).body.code).toBe('invalid_request');
  });

  it('takes every scope, and is refused by a route that says nothing of scopes', async () => {
    const nothing = async (key: string) => {
      const { status, body } = await service.request(byKey(key), 'GET', '/v1/says-nothing');
      return [status, body.code];
    };
    const { key } = await create({ scopes: apiKeyScopes });
    expect((await whoami(key)).body.scopes).toEqual(apiKeyScopes);
    expect(await nothing(key)).toEqual([403, 'forbidden']);
    expect(await nothing((await create()).key)).toEqual([200, undefined]);
  });
});

describe('an expiry', () => {
  it('ends the key and its previous secret, from then on 401, until a later one is set', async () => {
    const expiresAt = iso(service.clock.now() + 2 * dayMs);
    const { id, key } = await create({ expiresAt });
    const next = (await service.request(owner, 'POST', `${path}/${id}/rotate`, { graceSeconds: 30 * 86_400 })).body.key;
    expect(await listed(id)).toMatchObject({ expiresAt });
    service.clock.advance(2 * dayMs - 1);
    expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([200, 200]);
    service.clock.advance(1);
    expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([401, 401]);
    await signedIn();
    expect((await change(id, { expiresAt: null })).body).toMatchObject({ id, expiresAt: null });
    expect([(await whoami(key)).status, (await whoami(next)).status]).toEqual([200, 200]);
  });

  it('frees the place of the key', async () => {
    const { by, projectId } = await service.stranger();
    const theirs = `/v1/projects/${projectId}/api-keys`;
    const expiresAt = iso(service.clock.now() + 1_000);
    const expiring = await service.request(by, 'POST', theirs, { name: 'k', expiresAt });
    const others = Array.from({ length: 99 }, () => ({
      id: uuidv7(),
      project_id: projectId,
      name: 'k',
      prefix: 'spw_',
      secret_sha256: randomBytes(32),
      previous_sha256: null,
      previous_expires_at: null,
      created_at: new Date(service.clock.now()),
      last_used_at: null,
      revoked_at: null,
    }));
    await service.context.db.insertInto('api_keys').values(others).execute();
    expect((await service.request(by, 'POST', theirs, { name: 'k' })).body.code).toBe('conflict');
    service.clock.advance(1_000);
    expect((await service.request(by, 'POST', theirs, { name: 'k' })).status).toBe(201);
    const again = await service.request(by, 'PATCH', `${theirs}/${expiring.body.id}`, { expiresAt: null });
    expect(again.body.code).toBe('conflict');
  });
});

describe('changing a key', () => {
  it('holds at once here, and within 3 s on other replicas', async () => {
    const { id, key } = await create();
    const { db, signInLimits } = service.context;
    const replica = new IdentityAuthenticator(db, service.clock, new ApiKeyCache(db, service.clock), signInLimits);
    const there = async () => (await replica.byApiKey(key))?.scopes;
    expect([await needs('read', key), await there()]).toEqual([200, null]);
    const { status, body } = await change(id, { name: 'Sender', scopes: ['ingest'] });
    expect([status, wire.apiKey.strict().safeParse(body).error]).toEqual([200, undefined]);
    expect(body).toMatchObject({ id, name: 'Sender', scopes: ['ingest'], expiresAt: null });
    expect([await needs('read', key), await needs('ingest', key)]).toEqual([403, 200]);
    service.clock.advance(2_999);
    expect(await there()).toBeNull();
    service.clock.advance(1);
    expect(await there()).toEqual(['ingest']);
    expect((await change(id, { scopes: null })).body.scopes).toBeNull();
    expect(await needs('read', key)).toBe(200);
  });

  it('stays when the key is rotated', async () => {
    const expiresAt = iso(service.clock.now() + dayMs);
    const { id, key } = await create({ scopes: ['ingest'], expiresAt });
    const next = (await service.request(owner, 'POST', `${path}/${id}/rotate`, {})).body.key;
    expect([await needs('read', key), await needs('read', next), await needs('ingest', next)]).toEqual([403, 403, 200]);
    expect(await listed(id)).toMatchObject({ scopes: ['ingest'], expiresAt });
  });

  it('is recorded, unless nothing changes', async () => {
    const expiresAt = iso(service.clock.now() + dayMs);
    const { id } = await create({ scopes: ['ingest', 'read'] });
    for (const body of [{ scopes: ['read', 'ingest'] }, { name: 'Key' }, { expiresAt: null }]) await change(id, body);
    await change(id, { scopes: ['ingest'], expiresAt });
    const log = await service.request(owner, 'GET', `/v1/organizations/default/audit-log?limit=2`);
    const prefix = (await listed(id)).prefix;
    const detail = { name: 'Key', prefix };
    expect(log.body.entries).toMatchObject([
      {
        kind: 'api_key.updated',
        subject: id,
        detail: { ...detail, scopes: ['ingest'], expiresAt, changed: ['scopes', 'expiresAt'] },
      },
      { kind: 'api_key.created', subject: id, detail: { ...detail, scopes: ['ingest', 'read'] } },
    ]);
  });

  it('is 400 without a change, 404 for a key of another project or a revoked one, 403 without keys:manage', async () => {
    const { id } = await create();
    for (const body of [{}, { key: 'spw_' }, []]) expect((await change(id, body)).body.code).toBe('invalid_request');
    const other = await service.stranger();
    const theirs = (await service.request(other.by, 'POST', `/v1/projects/${other.projectId}/api-keys`, { name: 'a' })).body;
    await service.request(owner, 'DELETE', `${path}/${id}`);
    for (const unknown of [id, theirs.id, 'x']) expect((await change(unknown, '{')).body.code).toBe('not_found');
    const { by } = await service.person('member');
    expect((await service.request(by, 'PATCH', `${path}/${id}`, {})).status).toBe(403);
  });
});

describe('the use of scopes', () => {
  it('is stored at most once a minute for each', async () => {
    const { id, key } = await create({ scopes: ['ingest', 'read'] });
    const first = service.clock.now();
    const used = async () => (await listed(id)).scopesUsed;
    await needs('ingest', key);
    service.clock.advance(59_000);
    await needs('ingest', key);
    await needs('read', key);
    const both = [
      { scope: 'ingest', lastUsedAt: iso(first) },
      { scope: 'read', lastUsedAt: iso(first + 59_000) },
    ];
    await expect.poll(used).toEqual(both);
    service.clock.advance(1_000);
    await needs('ingest', key);
    await expect.poll(used).toEqual([{ scope: 'ingest', lastUsedAt: iso(first + 60_000) }, both[1]]);
  });

  it('is not that of a refused request, and of a key without scopes what it would have needed', async () => {
    const [narrow, wide] = [await create({ scopes: ['ingest'] }), await create()];
    await needs('read', narrow.key);
    await needs('ingest', narrow.key);
    await needs('read', wide.key);
    const used = async ({ id }: Made) => (await listed(id)).scopesUsed.map(({ scope }: { scope: string }) => scope);
    await expect.poll(() => used(narrow)).toEqual(['ingest']);
    await expect.poll(() => used(wide)).toEqual(['read']);
  });

  it('shows scopes that were never used, 30 days after the key got them', async () => {
    const { id, key } = await create({ scopes: ['ingest', 'read'] });
    const unused = async () => (await listed(id)).unusedScopes;
    await needs('ingest', key);
    await expect.poll(async () => (await listed(id)).scopesUsed.length).toBe(1);
    service.clock.advance(30 * dayMs - 1);
    await signedIn();
    expect(await unused()).toEqual([]);
    service.clock.advance(1);
    expect(await unused()).toEqual(['read']);
    // A narrower key has had its scopes for as long as before; one with more has not.
    expect((await change(id, { scopes: ['read'] })).body.unusedScopes).toEqual(['read']);
    expect((await change(id, { scopes: ['read', 'scores:write'] })).body.unusedScopes).toEqual([]);
    service.clock.advance(30 * dayMs);
    await signedIn();
    expect(await unused()).toEqual(['read', 'scores:write']);
  });
});
