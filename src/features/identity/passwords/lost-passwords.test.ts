import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSmtpReceiver } from '../../../platform/mail/smtp-receiver.fixture.ts';
import type { SmtpReceiver } from '../../../platform/mail/smtp-receiver.fixture.ts';
import { nobody, openIdentityService } from '../identity-service.fixture.ts';
import type { By, IdentityService } from '../identity-service.fixture.ts';
import { resetPassword } from './reset-password.ts';
import { minuteMs } from '../../../contract/durations.ts';

let service: IdentityService;
let silent: IdentityService;
let receiver: SmtpReceiver;
beforeAll(async () => {
  receiver = await openSmtpReceiver();
  service = await openIdentityService({
    smtpUrl: `smtp://127.0.0.1:${receiver.port}`,
    mailFrom: 'Spanwise <spanwise@example.net>',
  });
  silent = await openIdentityService();
});
afterAll(async () => {
  await service.close();
  await silent.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.refused.clear();
});

const password = 'a password of their own';
const forgot = (email: string) => service.request(nobody, 'POST', '/v1/auth/forgot', { email });
const reset = (token: string, given = 'a new password') =>
  service.request(nobody, 'POST', '/v1/auth/reset', { token, password: given });
const send = () => service.run('account-mail');
/** The secrets of the links that were mailed to an address, oldest first. */
const mailed = (to: string, page: 'reset' | 'invite'): string[] =>
  receiver.received
    .filter((mail) => mail.to.includes(to))
    .flatMap(
      ({ parsed }) =>
        new RegExp(`http://spanwise\\.example\\.com/${page}/([0-9A-Za-z]{43})\\s`).exec(parsed.text ?? '')?.[1] ?? [],
    );

/** A new member, by a mailed invitation. */
async function person(email: string): Promise<{ by: By; email: string; userId: string }> {
  const invitations = `/v1/organizations/${service.organizationId}/invitations`;
  await service.request(service.owner.by, 'POST', invitations, { email, role: 'viewer' });
  await send();
  const answer = await service.request(nobody, 'POST', '/v1/invitations/accept', {
    token: mailed(email, 'invite').at(-1),
    password,
  });
  return { by: { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }, email, userId: answer.body.user.id };
}

describe('an invitation where mail is configured', () => {
  const invitations = () => `/v1/organizations/${service.organizationId}/invitations`;
  const stateOf = async (email: string) =>
    (await service.request(service.owner.by, 'GET', invitations())).body.invitations.find(
      (one: { email: string }) => one.email === email,
    ).mail;

  it('is mailed, and its link is shown to nobody else', async () => {
    await service.request(service.owner.by, 'PATCH', '/v1/organizations/default', { name: 'A <b>&\u202e' });
    const made = await service.request(service.owner.by, 'POST', invitations(), { email: 'ada@example.com', role: 'viewer' });
    expect([made.status, made.body.url, made.body.mail]).toEqual([201, null, 'waiting']);
    expect(await send()).toBe(1);
    expect(await stateOf('ada@example.com')).toBe('sent');
    const [mail] = receiver.received;
    expect([mail?.to, mail?.parsed.subject]).toEqual([['ada@example.com'], 'Invitation to A <b>& in Spanwise']);
    expect(String(mail?.parsed.html)).toContain('A &lt;b&gt;&amp;');
    const [token = ''] = mailed('ada@example.com', 'invite');
    const accepted = await service.request(nobody, 'POST', '/v1/invitations/accept', { token, password });
    expect(accepted.body.user.email).toBe('ada@example.com');
    expect(await send()).toBe(0);
  });

  it('is mailed again with a new link while the mail server refuses it, and shown as failed in the end', async () => {
    const email = 'gone@example.com';
    receiver.refused.add(email);
    await service.request(service.owner.by, 'POST', invitations(), { email, role: 'viewer' });
    await send();
    expect(await stateOf(email)).toBe('waiting');
    for (const minutes of [0.5, 2, 10, 30, 120]) {
      service.clock.advance(minutes * minuteMs);
      await send();
    }
    expect(await stateOf(email)).toBe('failed');
    receiver.refused.clear();
    service.clock.advance(240 * minuteMs);
    expect(await send()).toBe(0);
    await service.request(service.owner.by, 'POST', invitations(), { email, role: 'viewer' });
    await send();
    expect(await stateOf(email)).toBe('sent');
  });

  it('is refused after 100 in an hour', async () => {
    const invite = (number: number) =>
      service.request(service.owner.by, 'POST', invitations(), { email: `many${number}@example.com`, role: 'viewer' });
    service.clock.advance(60 * minuteMs);
    for (let number = 0; number < 100; number++) expect((await invite(number)).status, String(number)).toBe(201);
    const refused = await invite(100);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '3600']);
    service.clock.advance(60 * minuteMs);
    expect((await invite(100)).status).toBe(201);
    await service.context.db.deleteFrom('invitations').execute();
  });
});

describe('a lost password', () => {
  it('is answered alike for every email, and mailed to those who have an account', async () => {
    const { email } = await person('grace@example.com');
    const answers = [await forgot(` ${email.toUpperCase()} `), await forgot('nobody@example.com'), await forgot('no email\0')];
    for (const { status, body } of answers) expect([status, body]).toEqual([202, { mailed: true }]);
    receiver.received.length = 0;
    expect(await send()).toBe(1);
    expect(receiver.received.map(({ to }) => to)).toEqual([[email]]);
    expect(receiver.received[0]?.parsed.text).toMatch(/works once, for 30 minutes/);
  });

  it('runs the same statements for a known and an unknown email', async () => {
    const count = async (email: string) => {
      const before = await service.context.db.selectFrom('password_resets').selectAll().execute();
      await forgot(email);
      return (await service.context.db.selectFrom('password_resets').selectAll().execute()).length - before.length;
    };
    expect([await count(service.owner.email), await count('somebody@example.com')]).toEqual([1, 1]);
    await send();
  });

  it('is replaced with the link, once, which ends every session and token', async () => {
    const { by, email, userId } = await person('linus@example.com');
    const { token } = (await service.request(by, 'POST', '/v1/me/tokens', { name: 'ci' })).body;
    await forgot(email);
    await send();
    const [link = ''] = mailed(email, 'reset');
    expect((await reset(link, 'short')).status).toBe(400);
    expect([(await reset(link)).status, (await reset(link)).status]).toEqual([204, 404]);
    for (const old of [by, { authorization: `Bearer ${token}` }])
      expect((await service.request(old, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await service.request(nobody, 'POST', '/v1/auth/login', { email, password })).status).toBe(401);
    await service.signIn(email, 'a new password');
    const log = (await service.request(service.owner.by, 'GET', `/v1/organizations/${service.organizationId}/audit-log`)).body
      .entries;
    expect(log.find(({ kind }: { kind: string }) => kind === 'user.password_reset')).toMatchObject({
      actor: { type: 'user', id: userId },
      detail: { email },
    });
    const stored = JSON.stringify(await service.context.db.selectFrom('password_resets').selectAll().execute());
    expect(JSON.stringify(log) + stored).not.toContain(link);
  });

  it('has one valid link, the newest, for 30 minutes', async () => {
    const { email } = await person('barbara@example.com');
    await forgot(email);
    await send();
    await forgot(email);
    await send();
    const [first = '', second = ''] = mailed(email, 'reset');
    expect((await reset(first)).status).toBe(404);
    service.clock.advance(30 * minuteMs);
    expect((await reset(second)).status).toBe(404);
    expect((await reset('x')).body.code).toBe('not_found');
  });

  it('ends with a change of the password, and with an operator’s', async () => {
    const { by, email } = await person('edsger@example.com');
    await forgot(email);
    await send();
    const change = { currentPassword: password, newPassword: 'changed meanwhile' };
    expect((await service.request(by, 'POST', '/v1/me/password', change)).status).toBe(204);
    expect((await reset(mailed(email, 'reset').at(-1) ?? '')).status).toBe(404);
    await forgot(email);
    await send();
    await resetPassword(service.context, email);
    expect((await reset(mailed(email, 'reset').at(-1) ?? '')).status).toBe(404);
  });

  it('is mailed 5 times an hour', async () => {
    const { email } = await person('donald@example.com');
    for (let request = 0; request < 7; request++) {
      expect((await forgot(email)).status).toBe(202);
      await send();
    }
    expect(mailed(email, 'reset')).toHaveLength(5);
    expect((await reset(mailed(email, 'reset').at(-1) ?? '')).status).toBe(204);
    service.clock.advance(61 * minuteMs);
    await service.run('forget-expired');
    await forgot(email);
    expect(await send()).toBe(1);
  });

  it('is not mailed where no mail is configured, and says so alike for every email', async () => {
    for (const email of [silent.owner.email, 'nobody@example.com']) {
      const { status, body } = await silent.request(nobody, 'POST', '/v1/auth/forgot', { email });
      expect([status, body]).toEqual([202, { mailed: false }]);
    }
    expect(await silent.context.db.selectFrom('password_resets').selectAll().execute()).toEqual([]);
  });
});

describe('a reset by the operator', () => {
  it('ends the sessions and personal tokens of its user', async () => {
    const { by, email } = await silent.person('viewer');
    const { token } = (await silent.request(by, 'POST', '/v1/me/tokens', { name: 'ci' })).body;
    const given = await resetPassword(silent.context, ` ${email.toUpperCase()}`);
    for (const old of [by, { authorization: `Bearer ${token}` }])
      expect((await silent.request(old, 'GET', '/v1/auth/session')).status).toBe(401);
    const signIn = async (one: string) =>
      (await silent.request(nobody, 'POST', '/v1/auth/login', { email, password: one })).status;
    expect([await signIn('password of a person'), await signIn(given ?? '')]).toEqual([401, 200]);
    expect(await resetPassword(silent.context, 'nobody@example.com')).toBeNull();
  });
});
