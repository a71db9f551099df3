import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelConnection } from '../../contract/model-connections.ts';
import {
  by,
  byKey,
  connectionsPath as path,
  noProject,
  openConnectionsService,
  otherProject,
} from './connections-service.fixture.ts';
import type { ConnectionsService } from './connections-service.fixture.ts';

const owner = by('owner');
const unknownId = '0197a000-0000-7000-8000-000000000009';
const apiKey = 'sk-the-key-of-a-test';
let service: ConnectionsService;
let made = 0;

beforeAll(async () => {
  service = await openConnectionsService();
});
afterAll(() => service.close());

const body = (given: object = {}) => ({
  name: `Connection ${++made}`,
  baseUrl: 'https://api.example.com/v1',
  model: 'm-1',
  ...given,
});
const create = async (given: object = {}) => (await service.request(owner, 'POST', path, body(given))).body;
const change = (id: string, given: object) => service.request(owner, 'PATCH', `${path}/${id}`, given);
const get = (id: string) => service.request(owner, 'GET', `${path}/${id}`);
const stored = (id: string) =>
  service.connections.db.selectFrom('model_connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const storedKey = async (id: string) => {
  const { sealed_key: sealed } = await stored(id);
  return sealed === null ? null : service.connections.box.open(sealed, id);
};

describe('POST model-connections', () => {
  it('creates one and never returns its key', async () => {
    const { status, body: answer, text } = await service.request(owner, 'POST', path, body({ name: ' OpenAI ', apiKey }));
    expect(status).toBe(201);
    expect(modelConnection.strict().safeParse(answer).error).toBeUndefined();
    const now = new Date(service.clock.now()).toISOString();
    expect(answer).toMatchObject({
      name: 'OpenAI',
      baseUrl: 'https://api.example.com/v1',
      model: 'm-1',
      hasKey: true,
      createdAt: now,
      updatedAt: now,
    });
    expect((await get(answer.id)).body).toEqual(answer);
    expect([text, (await get(answer.id)).text, (await service.request(owner, 'GET', path)).text].join()).not.toContain(apiKey);
  });

  it('stores the key encrypted for this connection only', async () => {
    const { id } = await create({ apiKey });
    const other = await create({ apiKey });
    const row = await stored(id);
    expect(JSON.stringify(row)).not.toContain(apiKey);
    expect(await storedKey(id)).toBe(apiKey);
    expect(() => service.connections.box.open(row.sealed_key ?? '', other.id)).toThrow();
  });

  it('accepts a connection without a key', async () => {
    for (const given of [{}, { apiKey: null }]) {
      const { id, hasKey } = await create(given);
      expect([hasKey, await storedKey(id)]).toEqual([false, null]);
    }
  });

  it('is 409 for a name that the project has, also for concurrent requests', async () => {
    const twice = body();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await service.request(owner, 'POST', path, twice)).status));
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
    expect((await service.request(owner, 'POST', path, twice)).body.code).toBe('conflict');
  });

  it.each([
    'api.example.com',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:///v1',
    'https://user@api.example.com',
    'https://user:pass@api.example.com',
    'https://@api.example.com',
    'https://api.example.com?a=1',
    'https://api.example.com/v1?',
    'https://api.example.com/v1#',
    'https://api.example.com/#a',
    'https://api.example.com/a b',
    'https:\\\\api.example.com',
    'https://api.example.com/\0',
    'https://[::1',
    `https://api.example.com/${'a'.repeat(2_048)}`,
    '',
    7,
  ])('refuses the base URL %j', async (baseUrl) => {
    const { status, body: answer } = await service.request(owner, 'POST', path, body({ baseUrl }));
    expect([status, answer.code, answer.details?.[0]?.path]).toEqual([400, 'invalid_request', '/baseUrl']);
  });

  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:8000',
    'http://[::1]:8000/v1/',
    'HTTPS://api.example.com/client/@cf/v1',
  ])('takes the base URL %j as it is', async (baseUrl) => expect((await create({ baseUrl })).baseUrl).toBe(baseUrl));

  it('refuses other bodies', async () => {
    for (const given of [
      { name: '' },
      { name: 'a\nb' },
      { name: 'a'.repeat(201) },
      { name: 'a\0' },
      { name: '\ud800' },
      { model: '' },
      { model: 7 },
      { model: undefined },
      { apiKey: '' },
      { apiKey: 'sk a' },
      { apiKey: 'sk\r\nx-evil: 1' },
      { apiKey: 'schlüssel' },
      { apiKey: 'a'.repeat(5_000) },
      { id: unknownId },
      { hasKey: true },
    ]) {
      const { status, text } = await service.request(owner, 'POST', path, body(given));
      expect(status, JSON.stringify(given)).toBe(400);
      expect(text).not.toContain('x-evil');
    }
    expect((await service.request(owner, 'POST', path, '{')).status).toBe(400);
  });
});

describe('GET model-connections', () => {
  it('lists them, oldest first, page by page', async () => {
    for (let count = 0; count < 3; count++) await create();
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body: page } = await service.request(
        owner,
        'GET',
        `${path}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      expect(page.modelConnections.length).toBeLessThanOrEqual(2);
      ids.push(...page.modelConnections.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual(
      (await service.request(owner, 'GET', `${path}?limit=200`)).body.modelConnections.map((each: { id: string }) => each.id),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const query of ['limit=0', 'limit=201', 'limit=a', 'cursor=a']) {
      expect((await service.request(owner, 'GET', `${path}?${query}`)).status, query).toBe(400);
    }
  });
});

describe('PATCH a model connection', () => {
  it('changes the given fields and keeps the others, the key included', async () => {
    const { id, ...before } = await create({ apiKey });
    service.clock.advance(1_000);
    const { status, body: after } = await change(id, { model: 'm-2' });
    expect([status, after]).toEqual([
      200,
      { ...before, id, model: 'm-2', updatedAt: new Date(service.clock.now()).toISOString() },
    ]);
    expect((await change(id, { baseUrl: 'https://api.example.com/v1' })).body).toMatchObject({ hasKey: true });
    expect((await change(id, {})).status).toBe(200);
    expect(await storedKey(id)).toBe(apiKey);
  });

  it('replaces the key, and removes it with null', async () => {
    const { id } = await create({ apiKey });
    expect((await change(id, { apiKey: 'sk-another' })).body.hasKey).toBe(true);
    expect(await storedKey(id)).toBe('sk-another');
    expect((await change(id, { apiKey: null })).body.hasKey).toBe(false);
    expect(await storedKey(id)).toBeNull();
  });

  it('sends no stored key to another URL, of the same server too: 400 without a new key', async () => {
    const { id } = await create({ apiKey });
    for (const baseUrl of [
      'https://evil.example.com/v1',
      'http://api.example.com/v1',
      'https://api.example.com:8443/v1',
      'https://api.example.com/other/v1',
      'https://api.example.com/V1',
    ]) {
      const { status, body: answer } = await change(id, { baseUrl });
      expect([status, answer.details?.[0]?.path], baseUrl).toEqual([400, '/apiKey']);
    }
    expect((await get(id)).body.baseUrl).toBe('https://api.example.com/v1');
    expect((await change(id, { baseUrl: 'https://api.example.com/v1/' })).body.hasKey).toBe(true);
    expect((await change(id, { baseUrl: 'https://other.example.com', apiKey: 'sk-other' })).status).toBe(200);
    expect((await change(id, { baseUrl: 'https://third.example.com', apiKey: null })).status).toBe(200);
    expect((await change(id, { baseUrl: 'https://fourth.example.com' })).status).toBe(200);
  });

  it('is 409 for the name of another connection, and accepts its own', async () => {
    const [one, two] = [await create(), await create()];
    const { status, body: answer } = await change(two.id, { name: one.name });
    expect([status, answer.code]).toEqual([409, 'conflict']);
    expect((await change(two.id, { name: two.name })).status).toBe(200);
  });

  it('refuses what creation refuses', async () => {
    const { id } = await create();
    for (const given of [{ name: '' }, { name: null }, { baseUrl: 'ftp://a' }, { model: '' }, { apiKey: 'a b' }, { id }]) {
      expect((await change(id, given)).status, JSON.stringify(given)).toBe(400);
    }
  });
});

describe('DELETE a model connection', () => {
  it('deletes it with its key', async () => {
    const { id } = await create({ apiKey });
    const { status, text } = await service.request(owner, 'DELETE', `${path}/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await service.request(owner, 'DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await get(id)).status).toBe(404);
  });
});

describe('permissions', () => {
  const routes: Array<[method: string, one: boolean, body: unknown]> = [
    ['POST', false, body()],
    ['GET', false, undefined],
    ['GET', true, undefined],
    ['PATCH', true, {}],
    ['DELETE', true, undefined],
  ];

  it('is 403 for an API key, without a session, and for another project', async () => {
    const { id } = await create();
    for (const [method, one, given] of routes) {
      const at = one ? `${path}/${id}` : path;
      for (const headers of [byKey, {}, { cookie: 'spanwise_session=nobody' }] as Array<Record<string, string>>) {
        const { status, body: answer } = await service.request(headers, method, at, given);
        expect([status, answer.code], `${method} ${JSON.stringify(headers)}`).toEqual([403, 'forbidden']);
      }
      for (const project of [otherProject, noProject, 'x']) {
        const elsewhere = `/v1/projects/${project}/model-connections${one ? `/${id}` : ''}`;
        expect((await service.request(owner, method, elsewhere, given)).status).toBe(403);
      }
    }
  });

  it('needs connections:manage to write and dashboard:read to read', async () => {
    const { id } = await create();
    for (const [method, one, given] of routes) {
      const at = one ? `${path}/${id}` : path;
      for (const role of ['viewer', 'member']) {
        const { status } = await service.request(by(role), method, at, method === 'POST' ? body() : given);
        expect(status, `${method} ${role}`).toBe(method === 'GET' ? 200 : 403);
      }
    }
    expect((await service.request(by('admin'), 'POST', path, body())).status).toBe(201);
  });

  it('is 404 for a connection that the project does not have, before the body is checked', async () => {
    const theirs = '0197a000-0000-7000-8000-00000000000a';
    const at = new Date(service.clock.now());
    const row = { id: theirs, project_id: otherProject, name: 'a', base_url: 'http://a', model: 'm', sealed_key: null };
    await service.connections.db
      .insertInto('model_connections')
      .values({ ...row, created_at: at, updated_at: at })
      .execute();
    for (const id of [unknownId, theirs, 'x', '%20']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const { status, body: answer } = await service.request(
          owner,
          method,
          `${path}/${id}`,
          method === 'PATCH' ? '{' : undefined,
        );
        expect([status, answer.code], `${method} ${id}`).toEqual([404, 'not_found']);
      }
    }
    expect(await service.models.findConnection(otherProject, theirs)).toMatchObject({ id: theirs });
    expect(await service.models.findConnection(noProject, theirs)).toBeNull();
  });

  it('accepts ids in either case', async () => {
    const { id } = await create();
    expect((await get(id.toUpperCase())).body.id).toBe(id);
    expect((await change(id.toUpperCase(), {})).status).toBe(200);
    expect((await service.request(owner, 'DELETE', `${path}/${id.toUpperCase()}`)).status).toBe(204);
  });
});
