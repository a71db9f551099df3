import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../contract/api-key.ts';
import { administrator, byKey, firstKey, nobody, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService } from './identity-service.fixture.ts';
import { identityContext } from './index.ts';
import { limitedByAddress } from './failed-credentials.ts';
import { signIn } from './sign-in.ts';
import { ServiceError } from '../../contract/errors.ts';
import { minuteMs } from '../../contract/durations.ts';

let service: IdentityService;
beforeAll(async () => {
  service = await openIdentityService();
});
// Failures of the previous test no longer count.
beforeEach(() => service.clock.advance(60 * minuteMs));
afterAll(() => service.close());

const from = (address: string, by: By = nobody): By => ({ ...by, 'x-forwarded-for': address });
const login = (body: unknown, by: By) => service.request(by, 'POST', '/v1/auth/login', body);
const wrong = (email: string) => ({ email, password: 'wrong' });
const whoami = (by: By) => service.request(by, 'GET', '/v1/sdk/whoami');
const session = (by: By) => service.request(by, 'GET', '/v1/auth/session');
/** All cookies of an answer, as a browser sends them back. */
const cookiesOf = (headers: Headers): By => ({
  cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
});
const refusedFor = (answer: Awaited<ReturnType<typeof login>>) => [
  answer.status,
  answer.body?.code,
  Number(answer.headers.get('retry-after')),
];

const wrongKey = makeApiKey();

/** Spends the budget of an address with keys that nobody has. */
async function spendBudget(address: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let failure = 0; failure < 100; failure++) statuses.push((await whoami(from(address, byKey(wrongKey)))).status);
  return statuses;
}

describe('sign-ins in progress', () => {
  it('are 4, and 20 wait; further ones are refused at once', async () => {
    const attempts = Array.from({ length: 60 }, (_, number) =>
      signIn(service.context, wrong(`new${number}@example.com`), { address: `198.51.100.${number}` }).then(
        () => expect.unreachable('a wrong password signed in'),
        (error: ServiceError) => error,
      ),
    );
    expect(service.context.signInLimits.turns.load).toEqual({ running: 4, waiting: 20 });
    const errors = await Promise.all(attempts);
    expect(errors.filter(({ code }) => code === 'unauthenticated')).toHaveLength(24);
    const refused = errors.filter(({ code }) => code === 'rate_limited');
    expect(refused).toHaveLength(36);
    for (const { retryAfterSeconds } of refused) expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  it('give up their place when nobody waits for the answer', async () => {
    const gone = new AbortController();
    const attempts = Array.from({ length: 8 }, (_, number) =>
      signIn(service.context, wrong(`gone${number}@example.com`), { address: `198.51.100.${number}`, signal: gone.signal }).catch(
        (error: ServiceError) => error.code,
      ),
    );
    gone.abort();
    expect(service.context.signInLimits.turns.load).toEqual({ running: 4, waiting: 0 });
    expect((await Promise.all(attempts)).toSorted()).toEqual([
      ...Array<string>(4).fill('rate_limited'),
      ...Array<string>(4).fill('unauthenticated'),
    ]);
  });
});

describe('100 failed credentials of an address in an hour', () => {
  it('do not hold texts that no secret can be, which are nobody’s guess', async () => {
    const address = '192.0.2.9';
    const shapeless = [byKey('spw_wrong'), { authorization: 'Bearer spwu_wrong' }, { cookie: 'spanwise_session=wrong' }];
    for (let failure = 0; failure < 101; failure++)
      expect((await session(from(address, shapeless[failure % shapeless.length]))).status).toBe(401);
    expect((await whoami(from(address, byKey(wrongKey)))).status).toBe(401);
  });

  it('are counted over accounts, keys, tokens and cookies; then each further one is 429', async () => {
    const address = '192.0.2.10';
    const kinds: Array<() => Promise<{ status: number }>> = [
      () => whoami(from(address, byKey(makeApiKey()))),
      () => whoami(from(address, { authorization: `Bearer ${wrongKey}` })),
      () => session(from(address, { authorization: `Bearer spwu_${'a'.repeat(40)}` })),
      () => session(from(address, { cookie: `spanwise_session=${'a'.repeat(43)}` })),
    ];
    for (let failure = 0; failure < 95; failure++) expect((await kinds[failure % kinds.length]?.())?.status).toBe(401);
    for (let failure = 0; failure < 5; failure++)
      expect((await login(wrong(`new${failure}@example.com`), from(address))).status).toBe(401);
    const after: number[] = [];
    for (const again of kinds) after.push((await again()).status);
    expect(after).toEqual(Array(4).fill(429));
    const answer = await login(wrong('another@example.com'), from(address));
    expect(refusedFor(answer)).toEqual([429, 'rate_limited', 36]);
    // Not even the right password, which a guesser would learn; others are not concerned.
    expect((await login(administrator, from(address))).status).toBe(429);
    expect((await login(administrator, from('192.0.2.11'))).status).toBe(200);
    service.clock.advance(36_000);
    expect((await login(administrator, from(address))).status).toBe(200);
  });

  it('do not stop a valid key, session or token of the address, nor a browser that has signed in before', async () => {
    const address = '192.0.2.12';
    const signedIn = await login(administrator, from(address));
    const browser = cookiesOf(signedIn.headers);
    const { body } = await service.request(from(address, browser), 'POST', '/v1/me/tokens', { name: 'ci' });
    expect(new Set(await spendBudget(address))).toEqual(new Set([401]));
    expect((await whoami(from(address, byKey(wrongKey)))).status).toBe(429);
    expect((await whoami(from(address, byKey(firstKey)))).status).toBe(200);
    service.context.keys.clear();
    expect((await whoami(from(address, byKey(firstKey)))).status).toBe(200);
    expect((await session(from(address, browser))).status).toBe(200);
    expect((await session(from(address, { authorization: `Bearer ${body.token}` }))).status).toBe(200);
    expect((await login(administrator, from(address, browser))).status).toBe(200);
    // As it: not as another.
    expect((await login(wrong('another@example.com'), from(address, browser))).status).toBe(429);
  });

  it('do not count requests without credentials, nor the ended session of a browser that has signed in', async () => {
    const address = '192.0.2.13';
    const browser = cookiesOf((await login(administrator, from(address))).headers);
    expect((await service.request(from(address, browser), 'POST', '/v1/auth/logout')).status).toBe(204);
    for (let time = 0; time < 101; time++) {
      expect((await session(from(address))).status).toBe(401);
      expect((await session(from(address, browser))).status).toBe(401);
    }
    expect((await whoami(from(address, byKey(wrongKey)))).status).toBe(401);
  });

  it('count the network of an IPv6 address, and ignore the port that a proxy adds', async () => {
    for (let failure = 0; failure < 100; failure++) await whoami(from(`2001:db8:1:2::${failure.toString(16)}`, byKey(wrongKey)));
    expect((await whoami(from('2001:db8:1:2:ffff::1', byKey(wrongKey)))).status).toBe(429);
    expect((await whoami(from('2001:db8:1:3::1', byKey(wrongKey)))).status).toBe(401);
    for (let failure = 0; failure < 100; failure++) await whoami(from(`192.0.2.14:${1000 + failure}`, byKey(wrongKey)));
    expect((await whoami(from('192.0.2.14:80', byKey(wrongKey)))).status).toBe(429);
  });

  it('hold for tokens that public routes take', async () => {
    const address = '192.0.2.15';
    const accept = (found: boolean) =>
      limitedByAddress(service.context, address, () =>
        found ? Promise.resolve('done') : Promise.reject(new ServiceError('not_found', 'There is no such invitation.')),
      );
    for (let failure = 0; failure < 100; failure++) await expect(accept(false)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept(false)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(accept(true)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('an account alone', () => {
  /** Fails from ever new addresses. */
  const fail = async (email: string, times: number, first = 0) => {
    for (let failure = first; failure < first + times; failure++)
      expect((await login(wrong(email), from(`203.0.113.${failure}`))).status).toBe(401);
  };

  it.each([administrator.email, 'ghost@example.com'])(
    'is delayed after 20 failures from any addresses, 1 s at first and 60 s at most: %s',
    async (email) => {
      await fail(email, 20);
      for (const [step, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        const refused = await login({ ...administrator, email }, from(`198.51.100.${step}`));
        expect(refusedFor(refused)).toEqual([429, 'rate_limited', seconds]);
        service.clock.advance(seconds * 1_000);
        await fail(email, 1, 100 + step);
      }
      service.clock.advance(60 * minuteMs);
      expect((await login(wrong(email), from('198.51.100.9'))).status).toBe(401);
    },
  );

  it('is never delayed for a browser that last signed in as it', async () => {
    const browser = cookiesOf((await login(administrator, from('198.51.100.10'))).headers);
    const other = await service.person('viewer');
    const otherBrowser = cookiesOf(
      (await login({ email: other.email, password: 'password of a person' }, from('198.51.100.11'))).headers,
    );
    await fail(administrator.email, 20, 120);
    expect((await login(administrator, from('198.51.100.12'))).status).toBe(429);
    expect((await login(administrator, from('198.51.100.12', otherBrowser))).status).toBe(429);
    const forged = { cookie: (browser['cookie'] ?? '').replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) };
    expect((await login(administrator, from('198.51.100.12', forged))).status).toBe(429);
    expect((await login(administrator, from('198.51.100.12', browser))).status).toBe(200);
    // It still has 10 failures at one address.
    for (let failure = 0; failure < 10; failure++)
      expect((await login(wrong(administrator.email), from('198.51.100.13', browser))).status).toBe(401);
    expect((await login(administrator, from('198.51.100.13', browser))).status).toBe(429);
  });

  it('counts failures on several replicas together, and successes not at all', async () => {
    const { email } = await service.person('viewer');
    const replicas = [1, 2].map(() => identityContext(service.context.db, service.clock));
    const attempts = Array.from({ length: 26 }, (_, number) =>
      signIn(replicas[number % 2] ?? service.context, wrong(email), { address: `192.0.2.${100 + number}` }).catch(
        (error: ServiceError) => error.code,
      ),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(20);
    service.clock.advance(60 * minuteMs);
    const right = { email, password: 'password of a person' };
    for (let success = 0; success < 25; success++) expect((await login(right, from('192.0.2.90'))).status).toBe(200);
  });
});

it('a browser whose session is older than the cookie gets it with the session', async () => {
  const { cookie = '' } = service.owner.by;
  const [, browser = ''] = (await session({ cookie })).headers.getSetCookie();
  expect(browser).toMatch(/^spanwise_browser=/);
  expect((await session({ cookie: `${cookie}; ${browser.split(';')[0]}` })).headers.getSetCookie()).toHaveLength(1);
});

it('the cookie that names a browser is HttpOnly and SameSite=Lax, and names no email', async () => {
  const [, cookie = ''] = (await login(administrator, from('192.0.2.91'))).headers.getSetCookie();
  expect(cookie).toMatch(/^spanwise_browser=[\w-]{43}\.[0-9a-z]+\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
});
