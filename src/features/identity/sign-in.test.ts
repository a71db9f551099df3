import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { currentSession } from '../../contract/identity.ts';
import { permissions } from '../../contract/permissions.ts';
import { administrator, afterPasswordRead, byKey, firstKey, nobody, openIdentityService } from './identity-service.fixture.ts';
import type { IdentityService } from './identity-service.fixture.ts';
import { identityContext } from './index.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { forgetExpired } from './sign-in.ts';
import { signIn } from './sign-in.ts';
import { dayMs, minuteMs } from '../../contract/durations.ts';

let service: IdentityService;
beforeAll(async () => {
  service = await openIdentityService();
});
// Failures of the previous test no longer count.
beforeEach(() => service.clock.advance(60 * minuteMs));
afterAll(() => service.close());

const login = (body: unknown, by = nobody) => service.request(by, 'POST', '/v1/auth/login', body);
const session = (by: Record<string, string>) => service.request(by, 'GET', '/v1/auth/session');
/** An address per test, since failures are counted by address. */
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('POST /v1/auth/login', () => {
  it('answers the user and an HttpOnly cookie', async () => {
    const answer = await login({ ...administrator, email: ' Owner@Example.COM ' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ user: { id: service.owner.userId, email: administrator.email, name: 'Administrator' } });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^spanwise_session=[0-9A-Za-z]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('answers a wrong password like an unknown email', async () => {
    const by = from('192.0.2.1');
    const answers = [
      await login({ email: administrator.email, password: 'wrong' }, by),
      await login({ email: 'ghost@example.com', password: administrator.password }, by),
      await login({ email: '', password: '' }, by),
      await login({ email: 'a\u0000b@example.com', password: '\u0000' }, by),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => answers[0]?.body));
    expect(answers[0]?.body.code).toBe('unauthenticated');
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  it.each([
    {},
    { email: 'a' },
    { email: 1, password: 'x' },
    { ...administrator, more: 1 },
    { email: 'a'.repeat(300), password: 'x' },
  ])('refuses %.40j with 400', async (body) => {
    expect((await login(body)).body.code).toBe('invalid_request');
  });

  it('answers 429 after 10 failures in 15 minutes for an account and address', async () => {
    const by = from('192.0.2.2');
    for (let failure = 0; failure < 10; failure++) {
      if (failure === 5) service.clock.advance(5 * minuteMs);
      expect((await login({ email: administrator.email, password: 'wrong' }, by)).status).toBe(401);
    }
    const refused = await login(administrator, by);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '600']);
    // Another address or another account has its own count.
    expect((await login(administrator, from('192.0.2.3'))).status).toBe(200);
    expect((await login({ email: 'ghost@example.com', password: 'x' }, by)).status).toBe(401);
    // A rejected attempt does not count as a failure.
    service.clock.advance(10 * minuteMs - 1);
    expect((await login(administrator, by)).status).toBe(429);
    service.clock.advance(1);
    expect((await login(administrator, by)).status).toBe(200);
  });

  it('does not count failures by a clock that was ahead and was set back', async () => {
    const by = from('192.0.2.7');
    service.clock.advance(10 * dayMs);
    for (let failure = 0; failure < 10; failure++) await login({ email: administrator.email, password: 'wrong' }, by);
    expect((await login(administrator, by)).status).toBe(429);
    service.clock.advance(-10 * dayMs);
    expect((await login(administrator, by)).status).toBe(200);
    await forgetExpired(service.context);
    const left = service.context.db.selectFrom('sign_in_failures').select('failed_at').where('address', '=', '192.0.2.7');
    expect(await left.execute()).toEqual([]);
  });

  it('counts concurrent attempts like sequential ones, and an unknown account like a known one', async () => {
    for (const email of [administrator.email, 'ghost@example.com']) {
      const attempts = Array.from({ length: 25 }, () => login({ email, password: 'wrong' }, from('192.0.2.4')));
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    }
  });

  it('counts concurrent attempts on several replicas', async () => {
    // Each replica has its own queue of attempts.
    const replicas = [service.context, 1, 2].map(() => identityContext(service.context.db, service.clock));
    const attempts = Array.from({ length: 30 }, (_, index) =>
      signIn(
        replicas[index % 3] ?? service.context,
        { email: administrator.email, password: 'wrong' },
        { address: '192.0.2.6' },
      ).then(
        () => expect.unreachable('a wrong password signed in'),
        (error: { code: string }) => error.code,
      ),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(20);
  });

  it('does not count successes', async () => {
    for (let success = 0; success < 12; success++) expect((await login(administrator, from('192.0.2.5'))).status).toBe(200);
  });
});

describe('a password that is reset while it signs in', () => {
  it('gives no session', async () => {
    const { email, userId } = await service.person('viewer');
    const context = afterPasswordRead(service.context, () => resetPassword(service.context, email));
    await expect(signIn(context, { email, password: 'password of a person' }, { address: '192.0.2.7' })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const sessions = await service.context.db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();
    expect(sessions).toEqual([]);
  });
});

describe('GET /v1/auth/session', () => {
  it('answers the user with organizations, permissions and projects', async () => {
    const { status, body } = await session(service.owner.by);
    expect(status).toBe(200);
    expect(currentSession.strict().safeParse(body).error).toBeUndefined();
    expect(body).toEqual({
      user: { id: service.owner.userId, email: administrator.email, name: 'Administrator' },
      mayCreateOrganizations: true,
      organizations: [
        {
          id: service.organizationId,
          slug: 'default',
          name: 'Default',
          plan: 'scale',
          role: 'owner',
          sharedLinks: true,
          permissions,
          projects: [{ id: service.first.projectId, name: 'Default', slug: 'default' }],
        },
      ],
    });
  });

  it('is 401 without a session', async () => {
    for (const by of [
      nobody,
      byKey(firstKey),
      { cookie: 'spanwise_session=' },
      { cookie: `spanwise_session=${'a'.repeat(43)}` },
    ]) {
      const { status, body } = await session(by);
      expect([status, body.code]).toEqual([401, 'unauthenticated']);
    }
  });

  it('lasts 14 days from its last use, and extends the cookie', async () => {
    const by = await service.signIn(administrator.email, administrator.password);
    service.clock.advance(13 * dayMs);
    const slid = await session(by);
    expect(slid.status).toBe(200);
    expect(slid.headers.getSetCookie()[0]).toContain(`${by['cookie']}; Max-Age=1209600;`);
    service.clock.advance(13 * dayMs);
    expect((await session(by)).status).toBe(200);
    service.clock.advance(14 * dayMs);
    expect((await session(by)).status).toBe(401);
    service.owner.by = await service.signIn(administrator.email, administrator.password);
  });
});

it('ends a session after 90 days, however often it is used', async () => {
  const by = await service.signIn(administrator.email, administrator.password);
  for (let day = 13; day < 90; day += 13) {
    service.clock.advance(13 * dayMs);
    expect((await session(by)).status, `day ${day}`).toBe(day < 90 ? 200 : 401);
  }
  service.clock.advance(12 * dayMs);
  expect((await session(by)).status).toBe(401);
  service.owner.by = await service.signIn(administrator.email, administrator.password);
});

describe('POST /v1/auth/logout', () => {
  it('revokes the session', async () => {
    const by = await service.signIn(administrator.email, administrator.password);
    const { status, text, headers } = await service.request(by, 'POST', '/v1/auth/logout');
    expect([status, text]).toEqual([204, '']);
    expect(headers.getSetCookie()[0]).toMatch(/^spanwise_session=; Max-Age=0;/);
    expect((await session(by)).status).toBe(401);
    expect((await session(service.owner.by)).status).toBe(200);
  });

  it('is 204 without a session, and 403 for a page of another origin', async () => {
    expect((await service.request(nobody, 'POST', '/v1/auth/logout')).status).toBe(204);
    expect(
      (await service.request({ ...service.owner.by, origin: 'http://evil.example' }, 'POST', '/v1/auth/logout')).status,
    ).toBe(403);
    expect((await session(service.owner.by)).status).toBe(200);
  });
});

it('ends a session 14 days after its last use also where a clock was ahead then, and was set back', async () => {
  service.clock.advance(30 * dayMs);
  const by = await service.signIn(administrator.email, administrator.password);
  service.clock.advance(-30 * dayMs);
  await forgetExpired(service.context);
  service.clock.advance(14 * dayMs - 1);
  const { context, clock } = service;
  const alive = () => context.db.selectFrom('sessions').select('id').where('expires_at', '>', new Date(clock.now())).execute();
  expect(await alive()).not.toEqual([]);
  service.clock.advance(1);
  expect((await session(by)).status).toBe(401);
  expect(await alive()).toEqual([]);
});

it('stores no secret of a session, and deletes failures after their window', async () => {
  const cookie = service.owner.by['cookie']?.split('=')[1] ?? '';
  const stored = await service.context.db.selectFrom('sessions').selectAll().execute();
  expect(stored.length).toBeGreaterThan(0);
  expect(JSON.stringify(stored)).not.toContain(cookie);
  service.clock.advance(20 * dayMs);
  await forgetExpired(service.context);
  expect(await service.context.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect(await service.context.db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([]);
});

it('sets Secure when the public URL or the request uses TLS', async () => {
  const cookieOf = async (by = nobody) => (await login(administrator, by)).headers.getSetCookie()[0];
  expect(await cookieOf()).not.toContain('Secure');
  expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toContain('; Secure');
  service.publicOrigin = 'https://spanwise.example.com';
  expect(await cookieOf()).toContain('; Secure');
});

describe('behind TLS the cookie', () => {
  const tls = { 'x-forwarded-proto': 'https' };
  const cookiesOf = (answer: { headers: Headers }) => answer.headers.getSetCookie().map((cookie) => cookie.split(/[=;]/, 1)[0]);

  it('has the prefix __Host-, and works', async () => {
    const answer = await login(administrator, tls);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-spanwise_session=[0-9A-Za-z]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const by = { ...tls, cookie: cookie.split(';')[0] ?? '' };
    expect((await session(by)).status).toBe(200);
    expect((await service.request({ ...by, origin: 'http://evil.example' }, 'POST', '/v1/auth/logout')).status).toBe(403);
    expect(cookiesOf(await service.request(by, 'POST', '/v1/auth/logout'))).toEqual(['__Host-spanwise_session']);
    expect((await session(by)).status).toBe(401);
  });

  it('of an earlier release is accepted and replaced', async () => {
    const old = await service.signIn(administrator.email, administrator.password);
    const plain = { ...tls, cookie: old['cookie']?.replace('__Host-', '') ?? '' };
    const answer = await session(plain);
    expect(answer.status).toBe(200);
    expect(cookiesOf(answer)).toEqual(['__Host-spanwise_session', 'spanwise_session', 'spanwise_browser']);
    expect(answer.headers.getSetCookie()[1]).toMatch(/^spanwise_session=; Max-Age=0;/);
  });

  it('with the prefix comes before the other, which another host of the domain may have set', async () => {
    const cookie = (await login(administrator, tls)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await session({ ...tls, cookie: `spanwise_session=${'a'.repeat(43)}; ${cookie}` })).status).toBe(200);
  });
});
