import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../contract/audit.ts';
import * as wire from '../../../contract/identity.ts';
import { administrator, nobody, openIdentityService } from '../identity-service.fixture.ts';
import type { By, IdentityService, Person } from '../identity-service.fixture.ts';
import { resetPassword } from '../passwords/reset-password.ts';
import { dayMs } from '../../../contract/durations.ts';

let service: IdentityService;
let owner: By;
let admin: Person;
let stranger: Awaited<ReturnType<IdentityService['stranger']>>;
let path: string;

beforeAll(async () => {
  service = await openIdentityService();
  owner = service.owner.by;
  path = `/v1/organizations/${service.organizationId}`;
  admin = await service.person('admin');
  stranger = await service.stranger();
});
afterAll(() => service.close());

const password = 'chosen by the person';
let emails = 0;
const newEmail = () => `invited${++emails}@example.com`;

const invite = (by: By, body: unknown, to = path) => service.request(by, 'POST', `${to}/invitations`, body);
const accept = (by: By, body: object) => service.request(by, 'POST', '/v1/invitations/accept', body);
const lookUp = (token: string) => service.request(nobody, 'POST', '/v1/invitations/look-up', { token });
const tokenOf = (answer: { body: { url: string } }) => answer.body.url.split('/').at(-1) ?? '';
const told = async (answer: ReturnType<typeof accept>): Promise<[number, string | undefined]> => {
  const { status, body } = await answer;
  return [status, body?.code];
};
const cookieOf = (answer: { headers: Headers }) => ({ cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' });
const logOf = async (organizationId: string, by: By): Promise<AuditEntry[]> =>
  (await service.request(by, 'GET', `/v1/organizations/${organizationId}/audit-log?limit=200`)).body.entries;
const membersOf = async (by: By, to = path): Promise<string[]> =>
  (await service.request(by, 'GET', `${to}/members?limit=200`)).body.members.map(({ email }: { email: string }) => email);

describe('an account of one organization', () => {
  // The three requests of an organization that wants to open another: it sets a password, signs in with it, and waits with a token.
  it('opens no other: nobody sets the password of somebody else', async () => {
    const victim = newEmail();
    const theirs = `/v1/organizations/${stranger.organizationId}`;
    const given = { email: victim, name: 'Victim', role: 'viewer', password: 'known to the attacker' };
    const set = await service.request(stranger.by, 'POST', `${theirs}/members`, given);
    expect([set.status, set.body.code]).toEqual([400, 'invalid_request']);
    expect(set.body.error).toMatch(/must not have password: the person chooses it/);
    const signIn = await service.request(nobody, 'POST', '/v1/auth/login', { email: victim, password: given.password });
    expect(signIn.status).toBe(401);
    const invited = await service.request(stranger.by, 'POST', `${theirs}/members`, { email: victim, role: 'viewer' });
    expect(JSON.stringify(invited.body)).not.toMatch(/password/i);
    const token = await service.request(nobody, 'POST', '/v1/me/tokens', { name: 'in waiting' });
    expect(token.status).toBe(403);
  });

  it('that the other made with its own link does not open the next', async () => {
    const victim = newEmail();
    const theirs = `/v1/organizations/${stranger.organizationId}`;
    const squatted = await accept(nobody, {
      token: tokenOf(await invite(stranger.by, { email: victim, role: 'viewer' }, theirs)),
      password,
    });
    const attacker = cookieOf(squatted);
    const token = (await service.request(attacker, 'POST', '/v1/me/tokens', { name: 'in waiting' })).body.token;
    await invite(owner, { email: victim, role: 'admin' });
    for (const by of [attacker, { authorization: `Bearer ${token}` }])
      expect((await service.request(by, 'GET', `${path}/members`)).status).toBe(403);
    // The person cannot sign in as the account, so the operator resets it, which ends what the attacker has.
    await resetPassword(service.context, victim);
    expect((await service.request({ authorization: `Bearer ${token}` }, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await service.request(attacker, 'GET', '/v1/auth/session')).status).toBe(401);
  });

  it('that was handed over opens no next one by tokens and sessions of who made it, also after a change of the password', async () => {
    const victim = newEmail();
    const theirs = `/v1/organizations/${stranger.organizationId}`;
    const link = tokenOf(await invite(stranger.by, { email: victim, role: 'viewer' }, theirs));
    const attacker = cookieOf(await accept(nobody, { token: link, password }));
    const makeToken = async () => (await service.request(attacker, 'POST', '/v1/me/tokens', { name: 'in waiting' })).body.token;
    const [token, changed] = [(await makeToken()) as string, 'a password of the person'];
    const signedIn = await service.signIn(victim, password);
    const change = { currentPassword: password, newPassword: changed };
    expect((await service.request(signedIn, 'POST', '/v1/me/password', change)).status).toBe(204);
    const again = await service.signIn(victim, changed);
    const joining = tokenOf(await invite(owner, { email: victim, role: 'admin' }));
    expect((await accept(signedIn, { token: joining })).status).toBe(200);
    expect((await service.request(signedIn, 'GET', `${path}/members`)).status).toBe(200);
    for (const by of [again, attacker, { authorization: `Bearer ${token}` }])
      expect((await service.request(by, 'GET', '/v1/auth/session')).status).toBe(401);
  });

  it('that an operator gave is not taken as the new one', async () => {
    const email = newEmail();
    const theirs = `/v1/organizations/${stranger.organizationId}`;
    await accept(nobody, { token: tokenOf(await invite(stranger.by, { email, role: 'viewer' }, theirs)), password });
    const given = await resetPassword(service.context, email);
    const signedIn = await service.signIn(email, given ?? '');
    const token = tokenOf(await invite(owner, { email, role: 'viewer' }));
    expect((await accept(signedIn, { token, password: given })).body).toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/password', message: 'must differ from the current password' }],
    });
  });
});

describe('an invitation', () => {
  it('of an owner is replaced and deleted by owners alone', async () => {
    const email = newEmail();
    const { id } = (await invite(owner, { email, role: 'owner' })).body;
    expect((await invite(admin.by, { email, role: 'viewer' })).status).toBe(403);
    expect((await service.request(admin.by, 'DELETE', `${path}/invitations/${id}`)).status).toBe(403);
    expect((await service.request(owner, 'DELETE', `${path}/invitations/${id}`)).status).toBe(204);
  });

  it('ends with the right to invite of who made it', async () => {
    const inviter = newEmail();
    const joined = await accept(nobody, { token: tokenOf(await invite(owner, { email: inviter, role: 'admin' })), password });
    const made = await invite(cookieOf(joined), { email: newEmail(), role: 'admin' });
    expect(made.status).toBe(201);
    await service.request(owner, 'PATCH', `${path}/members/${joined.body.user.id}`, { role: 'viewer' });
    expect((await accept(nobody, { token: tokenOf(made), password })).status).toBe(404);
  });

  it('is the same for a known and an unknown email, with a link that nothing else shows', async () => {
    const answers = [
      await invite(admin.by, { email: newEmail(), role: 'member' }),
      await invite(admin.by, { email: stranger.email.toUpperCase(), role: 'member' }),
    ];
    const shapes = answers.map(({ status, body }) => {
      expect(wire.invitationCreated.strict().safeParse(body).error).toBeUndefined();
      const { id: _id, email: _email, url, ...rest } = body;
      expect(url).toMatch(/^http:\/\/spanwise\.example\.com\/invite\/[0-9A-Za-z]{43}$/);
      return { status, ...rest };
    });
    expect(shapes[0]).toEqual({
      status: 201,
      role: 'member',
      createdAt: new Date(service.clock.now()).toISOString(),
      expiresAt: new Date(service.clock.now() + 7 * dayMs).toISOString(),
      mail: 'none',
    });
    expect(shapes[1]).toEqual(shapes[0]);
    const listed = (await service.request(admin.by, 'GET', `${path}/invitations`)).body;
    expect(wire.invitationPage.strict().safeParse(listed).error).toBeUndefined();
    expect(listed.invitations.slice(-2).map(({ id }: { id: string }) => id)).toEqual(answers.map(({ body }) => body.id));
    const stored = JSON.stringify(await service.context.db.selectFrom('invitations').selectAll().execute());
    const log = JSON.stringify(await logOf(service.organizationId, owner));
    for (const text of [JSON.stringify(listed), stored, log])
      for (const answer of answers) expect(text).not.toContain(tokenOf(answer));
  });

  it('says to the holder of its link what it is for', async () => {
    const email = newEmail();
    const token = tokenOf(await invite(owner, { email, role: 'viewer' }));
    const { status, body } = await lookUp(token);
    expect([status, body]).toEqual([
      200,
      { organizationName: 'Default', email, role: 'viewer', expiresAt: new Date(service.clock.now() + 7 * dayMs).toISOString() },
    ]);
    expect((await lookUp(`${token.slice(1)}x`)).body.code).toBe('not_found');
  });

  it('lets a new person set the password and signs them in', async () => {
    const email = newEmail();
    const token = tokenOf(await invite(owner, { email, role: 'viewer' }));
    expect(await told(accept(nobody, { token }))).toEqual([400, 'invalid_request']);
    expect(await told(accept(nobody, { token, password: 'short' }))).toEqual([400, 'invalid_request']);
    const accepted = await accept(nobody, { token, name: 'Ada', password });
    expect([accepted.status, accepted.body]).toEqual([200, { user: { id: expect.any(String), email, name: 'Ada' } }]);
    const by = cookieOf(accepted);
    const { organizations } = (await service.request(by, 'GET', '/v1/auth/session')).body;
    expect(organizations).toMatchObject([{ id: service.organizationId, role: 'viewer' }]);
    await service.signIn(email, password);
    // Once.
    expect(await told(accept(nobody, { token, password }))).toEqual([404, 'not_found']);
    expect((await lookUp(token)).status).toBe(404);
  });

  it('names a new person as the inviter proposed, or by the email', async () => {
    const byEmail = await accept(nobody, {
      token: tokenOf(await invite(owner, { email: 'grace@example.com', role: 'viewer' })),
      password,
    });
    expect(byEmail.body.user.name).toBe('grace');
    const proposed = await service.request(owner, 'POST', `${path}/members`, { email: newEmail(), name: 'Alan', role: 'viewer' });
    expect((await accept(nobody, { token: tokenOf(proposed), password })).body.user.name).toBe('Alan');
  });

  it('asks who has an account to be signed in as it', async () => {
    const token = tokenOf(await invite(owner, { email: stranger.email, role: 'member' }));
    expect(await told(accept(nobody, { token, password: 'taken over' }))).toEqual([401, 'unauthenticated']);
    expect(await told(accept(admin.by, { token, password: 'taken over' }))).toEqual([403, 'forbidden']);
    expect(await told(accept({ ...stranger.by, origin: 'http://evil.example' }, { token }))).toEqual([403, 'forbidden']);
    const accepted = await accept(stranger.by, { token, name: 'Ignored', password: 'ignored too' });
    expect(accepted.body).toEqual({ user: { id: stranger.userId, email: stranger.email, name: 'Person' } });
    expect(accepted.headers.getSetCookie()).toEqual([]);
    expect(
      (await service.request(nobody, 'POST', '/v1/auth/login', { email: stranger.email, password: 'ignored too' })).status,
    ).toBe(401);
    expect((await service.request(stranger.by, 'DELETE', `${path}/members/${stranger.userId}`)).status).toBe(204);
  });

  it('for a new person is refused to another who is signed in', async () => {
    const token = tokenOf(await invite(owner, { email: newEmail(), role: 'member' }));
    expect(await told(accept(owner, { token, password }))).toEqual([403, 'forbidden']);
  });

  it('is replaced by a second one, ends with its deletion, and after 7 days', async () => {
    const email = newEmail();
    const first = tokenOf(await invite(owner, { email, role: 'viewer' }));
    const again = await invite(owner, { email: email.toUpperCase(), role: 'admin' });
    expect((await lookUp(first)).status).toBe(404);
    expect((await lookUp(tokenOf(again))).body.role).toBe('admin');
    const one = `${path}/invitations/${again.body.id}`;
    expect((await service.request(admin.by, 'DELETE', one)).status).toBe(204);
    expect((await service.request(admin.by, 'DELETE', one)).status).toBe(404);
    expect(await told(accept(nobody, { token: tokenOf(again), password }))).toEqual([404, 'not_found']);
    const last = tokenOf(await invite(owner, { email, role: 'viewer' }));
    service.clock.advance(7 * dayMs);
    expect(await told(accept(nobody, { token: last, password }))).toEqual([404, 'not_found']);
  });

  it('is refused for a member, and for the owner role by others than owners', async () => {
    expect(await told(invite(owner, { email: admin.email.toUpperCase(), role: 'viewer' }))).toEqual([409, 'conflict']);
    expect(await told(invite(admin.by, { email: newEmail(), role: 'owner' }))).toEqual([403, 'forbidden']);
    expect((await invite(owner, { email: newEmail(), role: 'owner' })).status).toBe(201);
    const viewer = await service.person('viewer');
    expect(await told(invite(viewer.by, { email: newEmail(), role: 'viewer' }))).toEqual([403, 'forbidden']);
    expect((await service.request(viewer.by, 'GET', `${path}/invitations`)).status).toBe(403);
  });

  it('is accepted once under concurrent requests', async () => {
    const email = newEmail();
    const token = tokenOf(await invite(owner, { email, role: 'viewer' }));
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(nobody, { token, password })));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect((await membersOf(owner)).filter((one) => one === email)).toEqual([email]);
  });
});

describe('before the acceptance', () => {
  it('neither side sees anything of the other', async () => {
    const token = tokenOf(await invite(owner, { email: stranger.email, role: 'member' }));
    const before = await logOf(service.organizationId, owner);
    await service.signIn(stranger.email, 'password of a person');
    await service.request(stranger.by, 'POST', '/v1/me/tokens', { name: 'private name' });
    expect(await logOf(service.organizationId, owner)).toEqual(before);
    expect(await membersOf(owner)).not.toContain(stranger.email);
    expect(JSON.stringify((await service.request(stranger.by, 'GET', '/v1/auth/session')).body)).not.toContain(
      service.organizationId,
    );
    expect((await service.request(stranger.by, 'GET', `${path}/members`)).status).toBe(403);
    await accept(stranger.by, { token });
    const after = await logOf(service.organizationId, owner);
    expect(after.slice(0, 2).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['member.added', stranger.userId],
      ['invitation.accepted', expect.any(String)],
    ]);
    expect(JSON.stringify(after)).not.toContain('private name');
  });
});

describe('anyone', () => {
  it('may leave an organization, but for its last owner', async () => {
    for (const role of ['viewer', 'member', 'admin']) {
      const { by, userId, email } = await service.person(role);
      expect((await service.request(by, 'DELETE', `${path}/members/${userId.toUpperCase()}`)).status, role).toBe(204);
      expect((await service.request(by, 'GET', `${path}/members`)).status).toBe(403);
      expect((await logOf(service.organizationId, owner))[0]).toMatchObject({
        kind: 'member.removed',
        actor: { id: userId },
        detail: { email },
      });
    }
    const viewer = await service.person('viewer');
    expect((await service.request(viewer.by, 'DELETE', `${path}/members/${admin.userId}`)).status).toBe(403);
    const last = await service.request(owner, 'DELETE', `${path}/members/${service.owner.userId}`);
    expect([last.status, last.body.code]).toEqual([409, 'conflict']);
  });
});

it('an account whose password an operator chose takes a new one with its next organization, and loses sessions and tokens', async () => {
  const { email, userId } = await service.person('viewer');
  const temporary = (await resetPassword(service.context, email)) ?? '';
  const by = await service.signIn(email, temporary);
  const bearer = { authorization: `Bearer ${(await service.request(by, 'POST', '/v1/me/tokens', { name: 'old' })).body.token}` };
  const theirs = `/v1/organizations/${stranger.organizationId}`;
  const token = tokenOf(await invite(stranger.by, { email, role: 'viewer' }, theirs));
  const refused = await accept(by, { token });
  expect([refused.status, refused.body.details]).toEqual([400, [{ path: '/password', message: 'is required' }]]);
  const accepted = await accept(by, { token, password });
  expect([accepted.status, accepted.body.user.id]).toEqual([200, userId]);
  for (const old of [by, bearer]) expect((await service.request(old, 'GET', '/v1/auth/session')).status).toBe(401);
  expect((await service.request(nobody, 'POST', '/v1/auth/login', { email, password: temporary })).status).toBe(401);
  expect((await service.request(cookieOf(accepted), 'GET', '/v1/auth/session')).body.organizations).toHaveLength(2);
  // From now on it is their own.
  const next = await service.stranger();
  const third = tokenOf(await invite(next.by, { email, role: 'viewer' }, `/v1/organizations/${next.organizationId}`));
  expect((await accept(cookieOf(accepted), { token: third })).status).toBe(200);
  expect(administrator.email).not.toBe(email);
});
