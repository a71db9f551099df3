import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService, Person } from './identity-service.fixture.ts';
import { organizationByOperator } from './organization-by-operator.ts';
import { hourMs } from '../../contract/durations.ts';

let service: IdentityService;
let owners: IdentityService;
let path: string;
beforeAll(async () => {
  service = await openIdentityService();
  owners = await openIdentityService({ organizationCreation: 'owners', defaultPlan: 'pro' });
  path = `/v1/organizations/${service.organizationId}`;
});
afterAll(async () => {
  await service.close();
  await owners.close();
});

const post = async (by: By, to: string, body: object): Promise<[number, string | undefined]> => {
  const answer = await service.request(by, 'POST', to, body);
  return [answer.status, answer.body?.code];
};
const conflict = [409, 'conflict'];

describe('at most', () => {
  it('100 keys that are not revoked in a project, also concurrently', async () => {
    const keys = `/v1/projects/${service.first.projectId}/api-keys`;
    for (let made = 1; made < 98; made++) expect((await post(service.owner.by, keys, { name: 'key' }))[0]).toBe(201);
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(service.owner.by, keys, { name: 'key' })));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(2);
    expect(answers).toContainEqual(conflict);
    const { apiKeys } = (await service.request(service.owner.by, 'GET', `${keys}?limit=1`)).body;
    await service.request(service.owner.by, 'DELETE', `${keys}/${apiKeys[0].id}`);
    expect((await post(service.owner.by, keys, { name: 'key' }))[0]).toBe(201);
  });

  it('100 projects in an organization', async () => {
    for (let made = 1; made < 100; made++) expect((await post(service.owner.by, `${path}/projects`, { name: 'p' }))[0]).toBe(201);
    expect(await post(service.owner.by, `${path}/projects`, { name: 'p' })).toEqual(conflict);
  });

  it('20 organizations of a person, by creation and by acceptance', async () => {
    const { by, email } = await service.person('viewer');
    const { organizationId, by: inviter } = await service.stranger();
    const invited = await service.request(inviter, 'POST', `/v1/organizations/${organizationId}/invitations`, {
      email,
      role: 'viewer',
    });
    for (let made = 1; made < 20; made++) expect((await post(by, '/v1/organizations', { name: 'Mine' }))[0]).toBe(201);
    expect(await post(by, '/v1/organizations', { name: 'Mine' })).toEqual(conflict);
    const token = invited.body.url.split('/').at(-1);
    expect(await post(by, '/v1/invitations/accept', { token })).toEqual(conflict);
    // Nothing is used up by the refusal.
    const { organizations } = (await service.request(by, 'GET', '/v1/auth/session')).body;
    const me = (await service.request(by, 'GET', '/v1/auth/session')).body.user.id;
    expect(organizations).toHaveLength(20);
    expect((await service.request(by, 'DELETE', `${path}/members/${me}`)).status).toBe(204);
    expect((await post(by, '/v1/invitations/accept', { token }))[0]).toBe(200);
  });

  it('20 valid tokens of a person', async () => {
    const { by } = await service.person('viewer');
    const expiresAt = new Date(service.clock.now() + hourMs).toISOString();
    for (let made = 0; made < 20; made++) expect((await post(by, '/v1/me/tokens', { name: 't', expiresAt }))[0]).toBe(201);
    expect(await post(by, '/v1/me/tokens', { name: 't' })).toEqual(conflict);
    service.clock.advance(hourMs);
    expect((await post(by, '/v1/me/tokens', { name: 't' }))[0]).toBe(201);
  });
});

describe('organizations are created', () => {
  const create = async (from: IdentityService, by: By): Promise<[number, boolean]> => [
    (await from.request(by, 'POST', '/v1/organizations', { name: 'Another' })).status,
    (await from.request(by, 'GET', '/v1/auth/session')).body.mayCreateOrganizations,
  ];

  it('by the owners of the first one by default', async () => {
    const made = await owners.request(owners.owner.by, 'POST', '/v1/organizations', { name: 'Second' });
    expect([made.status, made.body.plan]).toEqual([201, 'pro']);
    for (const role of ['admin', 'member', 'viewer'])
      expect(await create(owners, (await owners.person(role)).by), role).toEqual([403, false]);
    const { by } = await owners.person('owner');
    expect(await create(owners, by)).toEqual([201, true]);
    // The owner of another one.
    const token = (
      await owners.request(by, 'POST', `/v1/organizations/${made.body.id}/invitations`, { email: 'a@example.com', role: 'owner' })
    ).status;
    expect(token).toBe(403);
    const invited = await owners.request(owners.owner.by, 'POST', `/v1/organizations/${made.body.id}/invitations`, {
      email: 'second@example.com',
      role: 'owner',
    });
    const accepted = await owners.request(nobody, 'POST', '/v1/invitations/accept', {
      token: invited.body.url.split('/').at(-1),
      password: 'a password of theirs',
    });
    const second = { cookie: accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    expect(await create(owners, second)).toEqual([403, false]);
    // Before the body is looked at.
    expect((await owners.request(second, 'POST', '/v1/organizations', '{')).status).toBe(403);
  });

  it('by nobody but the operator, where the operator says so', async () => {
    owners.context.accounts.organizationCreation = 'operators';
    expect(await create(owners, owners.owner.by)).toEqual([403, false]);
    const made = await organizationByOperator(owners.context, { name: 'By the operator', owner: 'third@example.com' });
    expect(made.slug).toBe('by-the-operator');
    const accepted = await owners.request(nobody, 'POST', '/v1/invitations/accept', {
      token: made.url?.split('/').at(-1),
      password: 'a password of theirs',
    });
    const third = { cookie: accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const { organizations } = (await owners.request(third, 'GET', '/v1/auth/session')).body;
    expect(organizations).toMatchObject([{ id: made.id, role: 'owner', plan: 'pro' }]);
  });
});

describe('owners and admins', () => {
  const member = async (by: By, userId: string) =>
    (await service.request(by, 'GET', `${path}/members?limit=200`)).body.members.find(
      (one: { userId: string }) => one.userId === userId,
    );
  const revoke = (by: By, userId: string) => service.request(by, 'POST', `${path}/members/${userId}/revoke`);
  let admin: Person;
  let viewer: Person;
  beforeAll(async () => {
    const other = await service.request(service.owner.by, 'POST', '/v1/organizations', { name: 'Fresh' });
    path = `/v1/organizations/${other.body.id}`;
    const joined = async (role: string) => {
      const person = await service.person('viewer');
      const { body } = await service.request(service.owner.by, 'POST', `${path}/invitations`, { email: person.email, role });
      await service.request(person.by, 'POST', '/v1/invitations/accept', { token: body.url.split('/').at(-1) });
      await service.request(person.by, 'DELETE', `/v1/organizations/${service.organizationId}/members/${person.userId}`);
      return person;
    };
    admin = await joined('admin');
    viewer = await joined('viewer');
  });

  it('see how many tokens a member has and when one was used last, of accounts that belong here alone', async () => {
    const { token } = (await service.request(viewer.by, 'POST', '/v1/me/tokens', { name: 'ci' })).body;
    expect((await member(admin.by, viewer.userId)).tokens).toEqual({ count: 1, lastUsedAt: null });
    await service.request({ authorization: `Bearer ${token}` }, 'GET', '/v1/auth/session');
    expect((await member(admin.by, viewer.userId)).tokens).toEqual({
      count: 1,
      lastUsedAt: new Date(service.clock.now()).toISOString(),
    });
    // The owner belongs to the first organization too, and a viewer sees no use at all.
    expect((await member(admin.by, service.owner.userId)).tokens).toBeNull();
    expect((await member(viewer.by, viewer.userId)).tokens).toBeNull();
  });

  it('end the sessions and tokens of a member, with an entry in the audit log', async () => {
    expect((await revoke(viewer.by, viewer.userId)).status).toBe(403);
    expect((await revoke(admin.by, viewer.userId)).status).toBe(204);
    expect((await service.request(viewer.by, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await member(admin.by, viewer.userId)).tokens).toEqual({ count: 0, lastUsedAt: null });
    const log = (await service.request(admin.by, 'GET', `${path}/audit-log`)).body.entries;
    expect(log[0]).toMatchObject({
      kind: 'member.revoked',
      actor: { id: admin.userId },
      subject: viewer.userId,
      detail: { email: viewer.email, sessions: 1, tokens: 1 },
    });
    await service.signIn(viewer.email, 'password of a person');
  });

  it('end none of a person of further organizations, and an admin none of an owner', async () => {
    expect((await revoke(service.owner.by, service.owner.userId)).body.code).toBe('conflict');
    expect((await revoke(admin.by, service.owner.userId)).body.code).toBe('forbidden');
    expect((await revoke(service.owner.by, '0197a000-0000-7000-8000-000000000009')).body.code).toBe('not_found');
  });
});

describe('personal tokens', () => {
  it('expire, show when, and are not made by tokens', async () => {
    const { by } = await service.person('viewer');
    const make = (body: object, as = by) => service.request(as, 'POST', '/v1/me/tokens', { name: 'ci', ...body });
    const at = (ms: number) => new Date(service.clock.now() + ms).toISOString();
    for (const expiresAt of [at(0), at(-1), 'tomorrow', null])
      expect((await make({ expiresAt })).status, String(expiresAt)).toBe(400);
    const { token, expiresAt } = (await make({ expiresAt: at(hourMs) })).body;
    expect(expiresAt).toBe(at(hourMs));
    const bearer = { authorization: `Bearer ${token}` };
    const refused = await make({}, bearer);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const [listed] = (await service.request(bearer, 'GET', '/v1/me/tokens')).body.tokens;
    expect(listed).toMatchObject({ expiresAt, lastUsedAt: at(0) });
    service.clock.advance(hourMs);
    expect((await service.request(bearer, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await service.request(bearer, 'GET', `${path}/members`)).status).toBe(403);
    // Still listed for a month.
    const kept = async () => (await service.context.db.selectFrom('personal_tokens').select('name').execute()).length;
    const before = await kept();
    await service.run('forget-expired');
    expect(await kept()).toBe(before);
    service.clock.advance(31 * 24 * hourMs);
    await service.run('forget-expired');
    expect(
      await service.context.db.selectFrom('personal_tokens').select('id').where('prefix', '=', token.slice(0, 11)).execute(),
    ).toEqual([]);
  });
});
