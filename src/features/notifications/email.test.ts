import { sql } from 'kysely';
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
        'Value: 40%',
        'Threshold: 10%',
        `Worst trace: https://spanwise.example.com/projects/${projectA}/traces/t1`,
        `Worst trace: https://spanwise.example.com/projects/${projectA}/traces/t2`,
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

  it('rounds figures in their unit, and lists duration, changes and the worst traces', async () => {
    const change = { kind: 'deploy', service: 'api', version: 'v2', description: '', at: '2026-11-20T09:00:00.000Z' };
    const data = {
      value: 0.23456789,
      peakValue: 2 / 3,
      threshold: 0.1,
      openedAt: '2026-11-20T09:10:00.000Z',
      resolvedAt: '2026-11-20T10:15:10.000Z',
      changes: [change],
      sampleTraceIds: ['t/1', 't2', 't3', 't4', 't5', 't6'],
    };
    await service.notify({ type: 'incident.resolved', data });
    await service.notify({
      type: 'incident.resolved',
      rule: { ...opening.rule, type: 'latency' },
      data: { value: 1234.5678, threshold: 900 },
    });
    await service.after(0);
    const texts = receiver.received.map(({ parsed }) => parsed.text ?? '');
    const [rates = '', times = ''] = texts.toSorted((a, b) => b.length - a.length);
    expect(rates).toContain('Value: 23.46%\nWorst value: 66.67%\nThreshold: 10%\n');
    expect(rates).toContain('Duration: 1 h 5 min\nChange before: deploy api v2 (2026-11-20T09:00:00.000Z)\n');
    expect(rates.match(/^Worst trace: https:\/\/spanwise\.example\.com\/projects\/[^/]+\/traces\/t.*$/gm)).toHaveLength(5);
    expect(rates).toContain('/traces/t%2F1\n');
    expect(times).toContain('Value: 1,235 ms\nThreshold: 900 ms\n');
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

describe('recipients', () => {
  const members = ['owner@example.com'];
  const addMember = async () => {
    const { db } = service.postgres;
    await sql`INSERT INTO users (id, email, name, password_hash, created_at)
      VALUES ('0197e000-0000-7000-8000-000000000001', 'Owner@Example.com', 'Owner', '', now()) ON CONFLICT DO NOTHING`.execute(
      db,
    );
    await sql`INSERT INTO memberships (organization_id, user_id, role, created_at)
      SELECT organization_id, '0197e000-0000-7000-8000-000000000001', 'owner', now() FROM projects WHERE id = ${projectA}
      ON CONFLICT DO NOTHING`.execute(db);
  };
  const saver = { projectId: projectA, ruleId, administers: true };

  it.each([
    ['members', members, 'x@example.com', 'members of the organization'],
    [['example.com', 'example.org'], ['a@example.com', 'b@example.org'], 'a@sub.example.com', 'example.com, example.org'],
  ] as const)(
    '%j are those that the operator allows: others are refused when saved and left out when sent',
    async (mailRecipients, allowed, other, who) => {
      await addMember();
      const limited = service.process({ mailRecipients });
      const to = [...allowed, other];
      await limited.checkChannels(saver, [{ type: 'email', to: [...allowed] }]);
      await expect(limited.checkChannels(saver, [{ type: 'email', to }])).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(who),
        details: [{ path: `/channels/0/to/${allowed.length}` }],
      });
      await service.save([{ type: 'email', to }]);
      await service.notify();
      await limited.runPending();
      expect(receiver.received.map((mail) => mail.to)).toEqual([[...allowed]]);
      expect((await delivery())?.attempts[0]?.error).toContain(`Not sent to ${other}`);
      await service.save([{ type: 'email', to: [other] }]);
      await service.notify();
      await limited.runPending();
      expect(receiver.received).toHaveLength(1);
      expect(await delivery()).toMatchObject({ status: 'failed', nextAttemptAt: null });
    },
  );

  it('are 1,000 of a project and UTC day: beyond, the delivery fails and says so', async () => {
    const to = Array.from({ length: 20 }, (_, n) => `r${n}@example.com`);
    await service.save([{ type: 'email', to }]);
    for (let n = 0; n < 51; n += 1) await service.notify();
    await service.after(0);
    expect(receiver.received).toHaveLength(50);
    const failed = (await service.deliveries()).filter(({ status }) => status === 'failed');
    expect(failed.map(({ attempts }) => attempts[0]?.error)).toEqual([expect.stringContaining('1,000 recipients today (UTC)')]);
    service.clock.advance(86_400_000);
    await service.notify();
    await service.after(0);
    expect(receiver.received).toHaveLength(51);
  });
});
