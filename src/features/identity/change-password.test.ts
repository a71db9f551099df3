import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { AuditEntry } from '../../contract/audit.ts';
import { roles } from '../../contract/permissions.ts';
import { changePassword } from './change-password.ts';
import { afterPasswordRead, byKey, firstKey, nobody, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService, Person } from './identity-service.fixture.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { signIn } from './sign-in.ts';
import { minuteMs } from '../../contract/durations.ts';

const old = 'password of a person';
const fresh = 'another password of theirs';

let service: IdentityService;
let person: Person;
beforeAll(async () => {
  service = await openIdentityService();
});
afterAll(() => service.close());
beforeEach(async () => {
  person = await service.person('viewer');
});

const path = '/v1/me/password';
const change = (body: unknown, by: By = person.by) => service.request(by, 'POST', path, body);
const right = { currentPassword: old, newPassword: fresh };
const wrong = { currentPassword: 'not the password', newPassword: fresh };
const login = (password: string, by = nobody, { email } = person) =>
  service.request(by, 'POST', '/v1/auth/login', { email, password });
const session = async (by: By) => (await service.request(by, 'GET', '/v1/auth/session')).status;
/** Of the same person, in a session of its own. */
const from = (address: string, by = person.by) => ({ ...by, 'x-forwarded-for': address });

test.each(['12345678', 'Password1', 'iloveyou1'])('400 for the common password %s, which stays as it was', async (common) => {
  const { status, body } = await change({ currentPassword: old, newPassword: common });
  expect([status, body]).toMatchObject([400, { code: 'invalid_request', details: [{ path: '/newPassword' }] }]);
  expect((await login(old)).status).toBe(200);
});

describe('POST /v1/me/password', () => {
  it('changes the password that its user signs in with', async () => {
    const { status, text, headers } = await change(right);
    expect([status, text, headers.getSetCookie()]).toEqual([204, '', []]);
    expect([(await login(old)).status, (await login(fresh)).status]).toEqual([401, 200]);
    const { password_hash: stored } = await service.context.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow();
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('ends the other sessions of the user, and keeps this one and personal tokens', async () => {
    const others = [await service.signIn(person.email, old), await service.signIn(person.email, old)];
    const { token } = (await service.request(person.by, 'POST', '/v1/me/tokens', { name: 'ci' })).body;
    const colleague = await service.person('viewer');
    expect((await change(right)).status).toBe(204);
    expect(await session(person.by)).toBe(200);
    for (const other of others) expect(await session(other)).toBe(401);
    expect(await session({ authorization: `Bearer ${token}` })).toBe(200);
    expect([await session(colleague.by), await session(service.owner.by)]).toEqual([200, 200]);
  });

  it('is open to every role', async () => {
    for (const role of roles) {
      const { by } = await service.person(role);
      expect((await change(right, by)).status, role).toBe(204);
    }
  });

  it('changes the temporary password of an operator', async () => {
    const { email } = await service.person('member');
    const temporary = (await resetPassword(service.context, email)) ?? '';
    const by = await service.signIn(email, temporary);
    expect((await change({ currentPassword: temporary, newPassword: fresh }, by)).status).toBe(204);
    expect((await login(temporary, nobody, { ...person, email })).status).toBe(401);
    await service.signIn(email, fresh);
  });

  it('is 403 for a personal token, an API key, no credentials and a page of another origin, before any other check', async () => {
    const { token } = (await service.request(person.by, 'POST', '/v1/me/tokens', { name: 'ci' })).body;
    for (const by of [
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${token}`, ...person.by },
      byKey(firstKey),
      nobody,
      { ...person.by, origin: 'http://evil.example' },
    ]) {
      for (const body of [right, '{']) {
        const answer = await change(body, by);
        expect([answer.status, answer.body.code], JSON.stringify(by)).toEqual([403, 'forbidden']);
      }
    }
    expect((await change(right, { authorization: `Bearer ${token}` })).body.error).toMatch(/^Sign in to the dashboard; /);
    expect((await login(old)).status).toBe(200);
  });

  it('is 400 for a wrong current password, and names the field', async () => {
    const other = await service.signIn(person.email, old);
    for (const currentPassword of ['not the password', '', `${old} `, old.toUpperCase(), 'a\0b', 'a\ud800b']) {
      const { status, body } = await change({ currentPassword, newPassword: fresh });
      expect([status, body], currentPassword).toEqual([
        400,
        {
          error: expect.stringMatching(/^The current password is wrong; /),
          code: 'invalid_request',
          details: [{ path: '/currentPassword', message: 'is not your current password' }],
        },
      ]);
    }
    expect([await session(person.by), await session(other)]).toEqual([200, 200]);
    expect([(await login(old)).status, (await login(fresh)).status]).toEqual([200, 401]);
  });

  it('is 400 for a new password that cannot be taken, and names the field', async () => {
    const cases: Array<[string, unknown, string, RegExp]> = [
      ['the same password', { currentPassword: old, newPassword: old }, '/newPassword', /differ/],
      ['a short one', { currentPassword: old, newPassword: 'seven77' }, '/newPassword', /8 characters/],
      ['a long one', { currentPassword: old, newPassword: 'x'.repeat(1025) }, '/newPassword', /1,?024/],
      ['a very long one', { currentPassword: old, newPassword: 'x'.repeat(8_000) }, '/newPassword', /1,?024/],
      ['NUL', { currentPassword: old, newPassword: 'long enough\0' }, '/newPassword', /NUL/],
      ['half a surrogate pair', { currentPassword: old, newPassword: 'long enough\ud800' }, '/newPassword', /surrogates/],
      ['a number', { currentPassword: old, newPassword: 123_456_789 }, '/newPassword', /./],
      ['none', { currentPassword: old }, '/newPassword', /./],
      ['no current one', { newPassword: fresh }, '/currentPassword', /./],
      ['a very long current one', { currentPassword: 'x'.repeat(1025), newPassword: fresh }, '/currentPassword', /1,?024/],
      ['a further field', { ...right, userId: 'x' }, '/userId', /./],
    ];
    for (const [what, body, field, message] of cases) {
      const answer = await change(body);
      expect([answer.status, answer.body.code], what).toEqual([400, 'invalid_request']);
      expect(answer.body.details, what).toMatchObject([{ path: field, message: expect.stringMatching(message) }]);
    }
    expect((await login(old)).status).toBe(200);
  });

  it('counts no attempt whose new password is refused', async () => {
    for (let time = 0; time < 11; time++) expect((await change({ ...wrong, newPassword: 'seven77' })).status).toBe(400);
    expect((await change(right)).status).toBe(204);
  });

  it.each([
    ['of other scripts', '密码 🔑 كلمة السر'],
    ['with line breaks and controls', 'line\nbreak\tand \u0007'],
    ['of spaces', '        '],
    ['of 1,024 characters', 'é'.repeat(1024)],
    ['that reads like SQL', "'; DROP TABLE users; --"],
  ])('takes a password %s, and keeps it exactly', async (_what, newPassword) => {
    expect((await change({ ...right, newPassword })).status).toBe(204);
    const others = [newPassword.normalize('NFD').slice(0, 1024), newPassword.slice(0, -1), newPassword.trim()];
    for (const other of others.filter((text) => text !== newPassword)) expect((await login(other)).status).toBe(401);
    expect((await login(newPassword)).status).toBe(200);
  });
});

describe('wrong current passwords', () => {
  it('are 429 after 10 in 15 minutes, of an account and address', async () => {
    const by = from('192.0.2.1');
    for (let failure = 0; failure < 10; failure++) expect((await change(wrong, by)).status).toBe(400);
    const { status, body, headers } = await change(right, by);
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '900']);
    // The session stays, and so do others' counts.
    expect(await session(person.by)).toBe(200);
    const colleague = await service.person('viewer');
    expect((await change(right, from('192.0.2.1', colleague.by))).status).toBe(204);
    service.clock.advance(15 * minuteMs);
    expect((await change(right, by)).status).toBe(204);
  });

  it('count together with failed sign-ins', async () => {
    const by = from('192.0.2.2');
    for (let failure = 0; failure < 5; failure++) {
      expect((await change(wrong, by)).status).toBe(400);
      expect((await login('not the password', from('192.0.2.2', nobody))).status).toBe(401);
    }
    expect((await change(right, by)).status).toBe(429);
    expect((await login(old, from('192.0.2.2', nobody))).status).toBe(429);
    expect((await change(right, from('192.0.2.3'))).status).toBe(204);
  });

  it('are counted when they are sent concurrently, and changes are not', async () => {
    const by = from('192.0.2.4');
    const statuses = (await Promise.all(Array.from({ length: 25 }, () => change(wrong, by)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    for (let time = 0; time < 11; time++) {
      const [currentPassword, newPassword] = time % 2 === 0 ? [old, fresh] : [fresh, old];
      expect((await change({ currentPassword, newPassword }, from('192.0.2.5'))).status).toBe(204);
    }
  });
});

describe('at the same time', () => {
  const signedIn = async (by: By) => {
    const secret = by['cookie'] ?? '';
    const { user } = (await service.request({ cookie: secret }, 'GET', '/v1/auth/session')).body;
    const row = await service.context.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .executeTakeFirstOrThrow();
    return { user: { type: 'user' as const, ...user }, sessionId: row.id, address: '192.0.2.6' };
  };

  it('one of several changes succeeds', async () => {
    const passwords = Array.from({ length: 6 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(
      passwords.map((newPassword, index) => change({ ...right, newPassword }, from(`198.51.100.${index}`))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400, 400, 400]);
    const kept = passwords[answers.findIndex(({ status }) => status === 204)] ?? '';
    expect((await login(kept)).status).toBe(200);
  });

  it('a change whose password was changed meanwhile is refused', async () => {
    const other = from('192.0.2.7');
    const context = afterPasswordRead(service.context, async () => expect((await change(right, other)).status).toBe(204));
    const late = changePassword(context, await signedIn(person.by), { currentPassword: old, newPassword: 'a third password' });
    await expect(late).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await login(fresh)).status).toBe(200);
  });

  it('a sign-in with the old password gives no session that outlives the change', async () => {
    // After the change:
    const before = afterPasswordRead(service.context, async () => expect((await change(right)).status).toBe(204));
    await expect(signIn(before, { email: person.email, password: old }, { address: '192.0.2.8' })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    // Before it:
    let other: By = nobody;
    const during = afterPasswordRead(service.context, async () => {
      other = await service.signIn(person.email, fresh);
      expect(await session(other)).toBe(200);
    });
    await changePassword(during, await signedIn(person.by), { currentPassword: fresh, newPassword: old });
    expect([await session(other), await session(person.by)]).toEqual([401, 200]);
  });

  it('a change that cannot be recorded changes nothing', async () => {
    const other = await service.signIn(person.email, old);
    // An entry cannot have this time.
    const context = { ...service.context, clock: { now: () => Date.UTC(1969, 0, 1) } };
    await expect(changePassword(context, await signedIn(person.by), right)).rejects.toThrow(/audit_entries/);
    expect((await login(old)).status).toBe(200);
    expect(await session(other)).toBe(200);
  });
});

describe('the audit log', () => {
  const entriesOf = async (organizationId: string, by: By) =>
    (await service.request(by, 'GET', `/v1/organizations/${organizationId}/audit-log?limit=200`)).body.entries as AuditEntry[];

  it('has a change and a wrong password in every organization of the user, without passwords', async () => {
    const { id } = (await service.request(person.by, 'POST', '/v1/organizations', { name: 'Own' })).body;
    const by = from('198.51.100.9');
    expect((await change(wrong, by)).status).toBe(400);
    expect((await change(right, by)).status).toBe(204);
    const actor = { type: 'user', id: person.userId, name: person.email };
    const expected = [
      { kind: 'user.password_changed', actor, projectId: null, subject: person.userId, detail: { email: person.email } },
      { kind: 'auth.login_failed', actor, projectId: null, subject: person.userId, detail: { address: '198.51.100.9' } },
    ];
    const own = await entriesOf(id, person.by);
    const first = await entriesOf(service.organizationId, service.owner.by);
    expect(own.slice(0, 2)).toMatchObject(expected);
    expect(first.slice(0, 2)).toMatchObject(expected);
    for (const secret of [old, fresh, wrong.currentPassword, '$argon2'])
      expect(JSON.stringify([own, first])).not.toContain(secret);
    const kinds = `/v1/organizations/${id}/audit-log?kind=user.password_changed`;
    expect((await service.request(person.by, 'GET', kinds)).body.entries).toHaveLength(1);
  });
});
