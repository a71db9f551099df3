import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as wire from '../../contract/identity.ts';
import { administrator, byKey, firstKey, nobody, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService, Person } from './identity-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { setPlan } from './index.ts';

let service: IdentityService;
let owner: By;
let admin: Person;
let member: Person;
let viewer: Person;
let outsider: Awaited<ReturnType<IdentityService['stranger']>>;
let organization: string;

beforeAll(async () => {
  service = await openIdentityService();
  owner = service.owner.by;
  organization = `/v1/organizations/${service.organizationId}`;
  admin = await service.person('admin');
  member = await service.person('member');
  viewer = await service.person('viewer');
  outsider = await service.stranger();
});
afterAll(() => service.close());

const told = async (by: By, method: string, path: string, body?: unknown): Promise<[number, string | undefined]> => {
  const answer = await service.request(by, method, path, body);
  return [answer.status, answer.body?.code];
};
const forbidden = [403, 'forbidden'];
const missing = [404, 'not_found'];
const invalid = [400, 'invalid_request'];
const conflict = [409, 'conflict'];
const unknownId = '0197a000-0000-7000-8000-000000000009';
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Follows `nextCursor` to the end. */
async function pages(by: By, path: string, plural: string, limit: number): Promise<Array<Answer['body']>> {
  const all: Array<Answer['body']> = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body }: Answer = await service.request(
      by,
      'GET',
      `${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    expect(body[plural].length).toBeLessThanOrEqual(limit);
    all.push(...body[plural]);
    cursor = body.nextCursor;
  }
  return all;
}

describe('every administration route', () => {
  const userId = unknownId;
  const routes = (id: string, project: string): Array<[string, string]> => [
    ['PATCH', `/v1/organizations/${id}`],
    ['POST', `/v1/organizations/${id}/projects`],
    ['GET', `/v1/organizations/${id}/projects`],
    ['POST', `/v1/organizations/${id}/members`],
    ['GET', `/v1/organizations/${id}/members`],
    ['PATCH', `/v1/organizations/${id}/members/${userId}`],
    ['DELETE', `/v1/organizations/${id}/members/${userId}`],
    ['POST', `/v1/organizations/${id}/members/${userId}/revoke`],
    ['POST', `/v1/organizations/${id}/invitations`],
    ['GET', `/v1/organizations/${id}/invitations`],
    ['DELETE', `/v1/organizations/${id}/invitations/${userId}`],
    ['POST', `/v1/projects/${project}/api-keys`],
    ['GET', `/v1/projects/${project}/api-keys`],
    ['POST', `/v1/projects/${project}/api-keys/${userId}/rotate`],
    ['DELETE', `/v1/projects/${project}/api-keys/${userId}`],
  ];
  const general: Array<[string, string]> = [
    ['POST', '/v1/organizations'],
    ['GET', '/v1/organizations'],
    ['POST', '/v1/me/password'],
    ['POST', '/v1/me/tokens'],
    ['GET', '/v1/me/tokens'],
    ['DELETE', `/v1/me/tokens/${unknownId}`],
  ];

  it('is 403 for an API key and without credentials, before any other check', async () => {
    for (const [method, path] of [...routes(service.organizationId, service.first.projectId), ...general]) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{';
      for (const by of [byKey(firstKey), nobody])
        expect(await told(by, method, path, body), `${method} ${path}`).toEqual(forbidden);
    }
  });

  it("is 403 on another tenant's organization and project, as on missing ones", async () => {
    for (const [theirs, project] of [
      [outsider.organizationId, outsider.projectId],
      [unknownId, unknownId],
      ['none', 'none'],
    ] as const) {
      for (const [method, path] of routes(theirs, project)) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : '{';
        expect(await told(owner, method, path, body), `${method} ${path}`).toEqual(forbidden);
      }
    }
  });
});

describe('organizations', () => {
  it('are created on the plan of further ones, with their creator as owner', async () => {
    const { status, body } = await service.request(viewer.by, 'POST', '/v1/organizations', { name: '  Ünïon & Söhne  ' });
    expect(status).toBe(201);
    expect(wire.organization.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      slug: 'union-sohne',
      name: 'Ünïon & Söhne',
      plan: 'free',
      role: 'owner',
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    expect(body.id).toMatch(uuidV7);
  });

  it('get unique slugs, also when many of one name are created concurrently', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => service.request(owner, 'POST', '/v1/organizations', { name: 'Twin' })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const slugs = made.map(({ body }) => body.slug as string);
    expect(new Set(slugs).size).toBe(8);
    expect(slugs.filter((slug) => slug === 'twin')).toHaveLength(1);
    for (const slug of slugs) expect(slug).toMatch(/^twin(-[0-9a-z]{6})?$/);
  });

  it('never have a slug in the form of an id', async () => {
    const slugOf = async (name: string) =>
      (await service.request(owner, 'POST', '/v1/organizations', { name })).body.slug as string;
    expect(await slugOf('日本')).toBe('untitled');
    expect(await slugOf(unknownId)).toBe(`named-${unknownId}`);
    expect((await slugOf('x'.repeat(200))).length).toBe(48);
  });

  it.each([
    {},
    { name: '' },
    { name: ' ' },
    { name: 'a\u0007b' },
    { name: 'a\nb' },
    { name: 'x'.repeat(201) },
    { name: 1 },
    { name: 'a', plan: 'scale' },
    [],
  ])('refuse %.40j', async (body) => {
    expect(await told(owner, 'POST', '/v1/organizations', body)).toEqual(invalid);
    expect(await told(owner, 'PATCH', organization, body)).toEqual(invalid);
  });

  it('are listed to their members, page by page', async () => {
    service.clock.advance(1);
    const own = await pages(owner, '/v1/organizations', 'organizations', 2);
    expect(own[0]).toMatchObject({ id: service.organizationId, plan: 'scale', role: 'owner' });
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
    expect(own.length).toBeGreaterThan(8);
    expect((await pages(outsider.by, '/v1/organizations', 'organizations', 50)).map(({ id }) => id)).toEqual([
      outsider.organizationId,
    ]);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'limit=', 'cursor=x', 'cursor=WyIxIiwieCJd'])(
    'refuse a list with %s',
    async (query) => {
      for (const path of [
        '/v1/organizations',
        `${organization}/projects`,
        `${organization}/members`,
        '/v1/me/tokens',
        `/v1/projects/${service.first.projectId}/api-keys`,
      ]) {
        expect(await told(owner, 'GET', `${path}?${query}`), path).toEqual(invalid);
      }
    },
  );

  it('are renamed by owners only, and keep their slug', async () => {
    const { status, body } = await service.request(owner, 'PATCH', '/v1/organizations/default', { name: 'Acme' });
    expect([status, body.name, body.slug, body.plan]).toEqual([200, 'Acme', 'default', 'scale']);
    expect(await told(admin.by, 'PATCH', organization, { name: 'Mine' })).toEqual(forbidden);
  });

  it('change their plan by the operator only', async () => {
    expect(await setPlan(service.context, 'default', 'team')).toBe(true);
    expect((await service.request(byKey(firstKey), 'GET', '/v1/sdk/whoami')).body.plan).toBe('team');
    expect(await setPlan(service.context, 'none', 'team')).toBe(false);
    await setPlan(service.context, service.organizationId, 'scale');
  });
});

describe('projects', () => {
  const path = () => `${organization}/projects`;

  it('are created by owners and admins', async () => {
    const { status, body } = await service.request(admin.by, 'POST', path(), { name: 'Shop' });
    expect(status).toBe(201);
    expect(wire.project.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ organizationId: service.organizationId, name: 'Shop', slug: 'shop' });
    for (const { by } of [member, viewer, outsider]) expect(await told(by, 'POST', path(), { name: 'Shop' })).toEqual(forbidden);
    expect(await told(admin.by, 'POST', path(), { name: '' })).toEqual(invalid);
  });

  it('get unique slugs, also when many of one name are created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => service.request(owner, 'POST', path(), { name: 'Same' })));
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(new Set(made.map(({ body }) => body.slug)).size).toBe(6);
  });

  it('are listed to members only', async () => {
    const all = await pages(viewer.by, path(), 'projects', 3);
    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(all[0]).toMatchObject({ id: service.first.projectId, slug: 'default' });
    expect(await told(outsider.by, 'GET', path())).toEqual(forbidden);
  });
});

describe('members', () => {
  const path = () => `${organization}/members`;

  it.each([
    { email: 'no-email', name: 'A', role: 'viewer' },
    { email: 'a@example.com', name: '', role: 'viewer' },
    { email: 'a@example.com', name: 'A', role: 'root' },
    { email: 'a@example.com', name: 'A' },
    { email: 'a@example.com', name: 'A', role: 'viewer', password: 'long enough to be one' },
    { email: 'a@example.com', name: 'A', role: 'viewer', isAdmin: true },
  ])('refuse %j', async (body) => {
    expect(await told(owner, 'POST', path(), body)).toEqual(invalid);
  });

  it('are managed by owners and admins, and listed to all', async () => {
    for (const { by } of [member, viewer]) {
      expect(await told(by, 'POST', path(), { email: 'a@example.com', name: 'A', role: 'viewer' })).toEqual(forbidden);
      expect(await told(by, 'PATCH', `${path()}/${member.userId}`, { role: 'owner' })).toEqual(forbidden);
      expect(await told(by, 'DELETE', `${path()}/${admin.userId}`)).toEqual(forbidden);
    }
    const listed = await pages(viewer.by, path(), 'members', 2);
    expect(listed.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([service.owner.userId, admin.userId, member.userId, viewer.userId]),
    );
    expect(listed.map(({ userId }) => userId)).not.toContain(outsider.userId);
    expect(wire.memberPage.strict().safeParse({ members: listed, nextCursor: null }).error).toBeUndefined();
    expect(JSON.stringify(listed)).not.toMatch(/password|argon/);
  });

  it('a changed role applies at once', async () => {
    const { by, userId } = await service.person('viewer');
    expect(await told(by, 'POST', `${organization}/projects`, { name: 'Early' })).toEqual(forbidden);
    const changed = await service.request(admin.by, 'PATCH', `${path()}/${userId.toUpperCase()}`, {
      role: 'admin',
      name: 'Promoted',
    });
    expect([changed.status, changed.body.role, changed.body.name]).toEqual([200, 'admin', 'Promoted']);
    expect((await service.request(by, 'POST', `${organization}/projects`, { name: 'Now' })).status).toBe(201);
    expect((await service.request(admin.by, 'DELETE', `${path()}/${userId}`)).status).toBe(204);
    expect(await told(by, 'GET', `${organization}/projects`)).toEqual(forbidden);
    expect(await told(admin.by, 'DELETE', `${path()}/${userId}`)).toEqual(missing);
  });

  it('unknown members are 404, before the body is validated', async () => {
    for (const id of [unknownId, 'x', outsider.userId]) {
      expect(await told(admin.by, 'PATCH', `${path()}/${id}`, '{'), id).toEqual(missing);
      expect(await told(admin.by, 'DELETE', `${path()}/${id}`)).toEqual(missing);
    }
    for (const body of [{ role: 'root' }, { email: 'b@example.com' }, []])
      expect(await told(admin.by, 'PATCH', `${path()}/${member.userId}`, body)).toEqual(invalid);
  });

  it('the owner role is granted and taken by owners only', async () => {
    expect(await told(admin.by, 'POST', path(), { email: 'x@example.com', name: 'X', role: 'owner' })).toEqual(forbidden);
    expect(await told(admin.by, 'PATCH', `${path()}/${admin.userId}`, { role: 'owner' })).toEqual(forbidden);
    expect(await told(admin.by, 'PATCH', `${path()}/${service.owner.userId}`, { role: 'viewer' })).toEqual(forbidden);
    expect(await told(admin.by, 'DELETE', `${path()}/${service.owner.userId}`)).toEqual(forbidden);
    expect((await service.request(owner, 'PATCH', `${path()}/${member.userId}`, { role: 'owner' })).body.role).toBe('owner');
    expect((await service.request(member.by, 'PATCH', `${path()}/${member.userId}`, { role: 'member' })).body.role).toBe(
      'member',
    );
  });

  it('the last owner stays, also when two owners demote each other concurrently', async () => {
    expect(await told(owner, 'PATCH', `${path()}/${service.owner.userId}`, { role: 'admin' })).toEqual(conflict);
    expect(await told(owner, 'DELETE', `${path()}/${service.owner.userId}`)).toEqual(conflict);
    await service.request(owner, 'PATCH', `${path()}/${member.userId}`, { role: 'owner' });
    const both = await Promise.all([
      service.request(owner, 'PATCH', `${path()}/${member.userId}`, { role: 'member' }),
      service.request(member.by, 'PATCH', `${path()}/${service.owner.userId}`, { role: 'member' }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = (await pages(viewer.by, path(), 'members', 200)).filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    const [left] = owners;
    const by = left.userId === member.userId ? member.by : owner;
    await service.request(by, 'PATCH', `${path()}/${service.owner.userId}`, { role: 'owner' });
    await service.request(owner, 'PATCH', `${path()}/${member.userId}`, { role: 'member' });
  });

  it('are renamed by an organization only while it is their only one', async () => {
    const { body } = await service.request(owner, 'POST', path(), { email: outsider.email, role: 'viewer' });
    await service.request(outsider.by, 'POST', '/v1/invitations/accept', { token: body.url.split('/').at(-1) });
    expect(await told(admin.by, 'PATCH', `${path()}/${outsider.userId}`, { name: 'Renamed' })).toEqual(forbidden);
    expect(
      (await service.request(admin.by, 'PATCH', `${path()}/${outsider.userId}`, { name: 'Person', role: 'member' })).status,
    ).toBe(200);
    await service.request(owner, 'DELETE', `${path()}/${outsider.userId}`);
  });
});

it('passwords are stored only as argon2id hashes', async () => {
  const stored = await service.context.db.selectFrom('users').select('password_hash').execute();
  for (const { password_hash } of stored) expect(password_hash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(stored)).not.toContain(administrator.password);
});
