import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSmtpReceiver } from '../../platform/mail/smtp-receiver.fixture.ts';
import type { SmtpReceiver } from '../../platform/mail/smtp-receiver.fixture.ts';
import { incidentId, nowMs, openNotificationsService, opening, projectA, ruleId } from './notifications-service.fixture.ts';
import type { NotificationsService } from './notifications-service.fixture.ts';

let service: NotificationsService;
let receiver: SmtpReceiver;

beforeAll(async () => {
  receiver = await openSmtpReceiver();
  service = await openNotificationsService({
    smtpUrl: `smtp://127.0.0.1:${receiver.port}`,
    mailFrom: 'Spanwise <spanwise@example.net>',
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  await service.clear();
  receiver.received.length = 0;
  receiver.refused.clear();
  await service.save([{ type: 'email', to: ['a@example.com', 'b@example.com', 'a@example.com'] }]);
});

const delivery = async () => (await service.deliveries())[0];

describe('an email', () => {
  it('is one for all addresses, in text and HTML, with a link to the incident', async () => {
    const [id] = await service.notify({ data: { ...opening.data, scope: 'gpt-4o', threshold: 0.1 } });
    await service.after(7_000);
    expect(receiver.received).toHaveLength(1);
    const [mail] = receiver.received;
    const url = `https://spanwise.example.com/projects/${projectA}/incidents/${incidentId}`;
    expect(mail?.to).toEqual(['a@example.com', 'b@example.com']);
    expect(mail?.parsed).toMatchObject({
      subject: '[Spanwise] Incident opened: Errors',
      messageId: `<${id}@example.net>`,
      references: `<incident-${incidentId}@example.net>`,
      date: new Date(nowMs),
    });
    expect(mail?.parsed.text).toBe(
      [
        'Incident opened: Errors',
        '',
        'Error rate 0.4 over 0.1',
        'Project: Project a',
        'Scope: gpt-4o',
        'Value: 0.4',
        'Threshold: 0.1',
        '',
        `Open the incident: ${url}`,
        '',
      ].join('\n'),
    );
    expect(mail?.parsed.html).toContain(`<a href="${url}">Open the incident</a>`);
    expect(await delivery()).toMatchObject({
      id,
      channel: { type: 'email', to: ['a@example.com', 'b@example.com', 'a@example.com'] },
      status: 'delivered',
      attempts: [{ at: new Date(nowMs + 7_000).toISOString(), statusCode: null, error: null }],
    });
  });

  it('escapes and shortens what applications sent, and keeps it in its line', async () => {
    const scope = `<img src=x onerror="alert(1)">&'\r\nLink: https://evil.example\u202e\u0000${'y'.repeat(1_000)}`;
    const rule = { ...opening.rule, name: 'a\r\nBcc: evil@example.com' };
    await service.notify({ rule, data: { scope, summary: scope } });
    await service.after(0);
    const [mail] = receiver.received;
    expect(mail?.to).toEqual(['a@example.com', 'b@example.com']);
    expect(mail?.parsed.subject).toBe('[Spanwise] Incident opened: a Bcc: evil@example.com');
    expect(mail?.parsed.bcc).toBeUndefined();
    const html = String(mail?.parsed.html);
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39; Link:');
    expect(html).not.toMatch(/<img|\u202e|y{500}/);
    expect(mail?.parsed.text).not.toMatch(/^Link:|\u202e|y{500}/m);
  });

  it('of one incident refer to the same thread; of none to no thread', async () => {
    await service.notify();
    await service.notify({ type: 'incident.resolved' });
    await service.notify({ type: 'model_lifecycle.raised', incidentId: null, data: { model: 'gpt-4o', daysRemaining: 7 } });
    await service.after(0);
    const bySubject = new Map(receiver.received.map(({ parsed }) => [parsed.subject, parsed]));
    const thread = `<incident-${incidentId}@example.net>`;
    expect(bySubject.get('[Spanwise] Incident opened: Errors')?.inReplyTo).toBe(thread);
    expect(bySubject.get('[Spanwise] Incident resolved: Errors')?.references).toBe(thread);
    const raised = bySubject.get('[Spanwise] Model to be retired: Errors');
    expect(raised?.inReplyTo).toBeUndefined();
    expect(raised?.text).toMatch(/Model: gpt-4o\nDays left: 7\n\nOpen in Spanwise: https:/);
  });

  it('that every address refuses is tried again with the same Message-ID', async () => {
    receiver.refused.add('a@example.com').add('b@example.com');
    const [id] = await service.notify();
    await service.after(0);
    expect(await delivery()).toMatchObject({
      status: 'pending',
      attempts: [{ statusCode: null, error: expect.stringMatching(/refused the mail: 550/) }],
      nextAttemptAt: new Date(nowMs + 5_000).toISOString(),
    });
    receiver.refused.clear();
    await service.after(5_000);
    expect(receiver.received.map(({ parsed }) => parsed.messageId)).toEqual([`<${id}@example.net>`]);
    expect((await delivery())?.status).toBe('delivered');
  });

  it('that one address refuses is delivered to the other, once, and says so', async () => {
    receiver.refused.add('b@example.com');
    await service.notify();
    await service.after(0);
    await service.after(100_000);
    expect(receiver.received.map(({ to }) => to)).toEqual([['a@example.com']]);
    expect(await delivery()).toMatchObject({
      status: 'delivered',
      attempts: [{ error: expect.stringMatching(/b@example.com: 550/) }],
    });
  });

  it('waits for a mail server that is away', async () => {
    await receiver.close();
    await service.notify();
    await service.after(0);
    expect((await delivery())?.attempts).toMatchObject([{ statusCode: null, error: 'The mail server could not be reached.' }]);
    receiver = await openSmtpReceiver({}, receiver.port);
    await service.after(5_000);
    expect(receiver.received).toHaveLength(1);
    expect((await delivery())?.status).toBe('delivered');
  });

  it('is tried again when the settings are missing', async () => {
    await service.notify();
    const unset = service.process({ smtpUrl: null, mailFrom: null });
    await unset.runPending();
    expect((await delivery())?.attempts).toMatchObject([
      { error: 'The service has no setting SPANWISE_SMTP_URL and SPANWISE_MAIL_FROM.' },
    ]);
    await service.feature.redeliver(projectA, ruleId, (await delivery())?.id ?? '');
    await service.after(0);
    expect(receiver.received).toHaveLength(1);
  });
});
