import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelRecord } from '../../contract/notifications.ts';
import { openNotificationsService, projectA, ruleId } from './notifications-service.fixture.ts';
import type { NotificationsService } from './notifications-service.fixture.ts';
import { refusedWebhooks } from './refused-webhooks.ts';

const otherRule = '0197c000-0000-7000-8000-000000000002';
const hook = (name: string, secret?: string) => ({
  type: 'webhook' as const,
  url: `http://127.0.0.1:1/${name}`,
  ...(secret === undefined ? {} : { secret }),
});
const mail = (...to: string[]) => ({ type: 'email' as const, to });
let service: NotificationsService;

beforeAll(async () => {
  service = await openNotificationsService();
});
afterAll(() => service.close());
beforeEach(() => service.clear());

const stored = async (rule = ruleId): Promise<ChannelRecord[]> =>
  (await service.feature.channelsOf(service.postgres.db, [rule])).get(rule) ?? [];
const secretOf = (channel: ChannelRecord | undefined) => (channel?.type === 'webhook' ? channel.secret : undefined);
const withoutSecret = (channel: ChannelRecord | undefined) => {
  if (channel?.type !== 'webhook') return channel;
  const { secret: _, ...rest } = channel;
  return rest;
};

describe('saving channels', () => {
  it('returns a secret that it made or was given once', async () => {
    const given = `whsec_${Buffer.alloc(64, 1).toString('base64')}`;
    const saved = await service.save([hook('made'), hook('given', given), mail('a@example.com', 'b@example.com')]);
    expect(secretOf(saved[0])).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secretOf(saved[1])).toBe(given);
    expect(saved[2]).toEqual({ id: saved[2]?.id, type: 'email', to: ['a@example.com', 'b@example.com'], disabledAt: null });
    expect(await stored()).toEqual(saved.map(withoutSecret));
    expect(await stored(otherRule)).toEqual([]);
    expect((await service.feature.channelsOf(service.postgres.db, [])).size).toBe(0);
  });

  it('keeps the id and the secret of a webhook with the same URL, in any place', async () => {
    const [one, two] = await service.save([hook('one'), hook('two')]);
    const again = await service.save([mail('a@example.com'), hook('two'), hook('one')]);
    expect(again.slice(1)).toEqual([two, one].map(withoutSecret));
  });

  it('sets a new secret where one is given, or the URL is another', async () => {
    const [before] = await service.save([hook('one')]);
    const given = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    const [rotated] = await service.save([hook('one', given)]);
    expect([rotated?.id, secretOf(rotated)]).toEqual([before?.id, given]);
    const [moved] = await service.save([hook('other')]);
    expect(moved?.id).not.toBe(before?.id);
    expect(secretOf(moved)).toMatch(/^whsec_/);
  });

  it('gives a second webhook with one URL a secret of its own', async () => {
    const [one] = await service.save([hook('one')]);
    const [same, second] = await service.save([hook('one'), hook('one')]);
    expect(same).toEqual(withoutSecret(one));
    expect(second?.id).not.toBe(one?.id);
    expect(secretOf(second)).toMatch(/^whsec_/);
  });

  it('of one rule leaves those of others; none deletes them', async () => {
    const saved = await service.save([hook('one')]);
    await service.save([hook('one')], projectA, otherRule);
    await service.save([], projectA, otherRule);
    expect(await stored(otherRule)).toEqual([]);
    expect(await stored()).toEqual(saved.map(withoutSecret));
  });

  it('stores no secret in plain text', async () => {
    const [one] = await service.save([hook('one')]);
    const rows = await service.postgres.db.selectFrom('notification_channels').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secretOf(one)?.slice('whsec_'.length, 20));
  });
});

const administrator = { projectId: projectA, ruleId, administers: true };
const member = { ...administrator, administers: false };

describe('the check of channels', () => {
  it.each(['http://169.254.169.254/', 'http://10.0.0.1/', 'http://[fd00:ec2::254]/'])(
    'refuses the address of %s',
    async (url) => {
      const check = service.feature.checkChannels(administrator, [hook('fine'), { type: 'webhook', url }]);
      await expect(check).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('SPANWISE_OUTGOING_ALLOW'),
        details: [{ path: '/channels/1/url' }],
      });
    },
  );

  it('takes public and allowed addresses, and names that cannot be resolved now', async () => {
    const urls = ['https://8.8.8.8/', 'http://127.0.0.1:1/', 'https://hooks.invalid/'];
    await service.feature.checkChannels(
      administrator,
      urls.map((url) => ({ type: 'webhook' as const, url })),
    );
  });

  it('lets owners and admins alone name an address beyond the public internet; others keep what a rule has', async () => {
    const url = 'http://127.0.0.1:15672/';
    const check = (...urls: string[]) =>
      service.feature.checkChannels(
        member,
        urls.map((one) => ({ type: 'webhook' as const, url: one })),
      );
    for (const one of [url, 'http://localhost:1/', 'http://[::ffff:127.0.0.1]/']) {
      await expect(check(one), one).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('owner or admin'),
      });
    }
    expect((await check('https://8.8.8.8/', 'https://hooks.invalid/')).privateUrls.size).toBe(0);
    await service.save([{ type: 'webhook', url }]);
    expect((await check(url)).channels).toHaveLength(1);
    await expect(check(`${url}other`)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([
    [{}, 'SPANWISE_SMTP_URL and SPANWISE_MAIL_FROM'],
    [{ mailFrom: 'a@example.com' }, 'SPANWISE_SMTP_URL'],
    [{ smtpUrl: 'smtp://127.0.0.1' }, 'SPANWISE_MAIL_FROM'],
  ])('with the settings %j refuses email and names what is missing', async (settings, missing) => {
    const check = service.process(settings).checkChannels(administrator, [hook('fine'), mail('a@example.com')]);
    await expect(check).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(`need the setting ${missing};`),
      details: [{ path: '/channels/1/type' }],
    });
  });

  it('takes email with both settings', async () => {
    const feature = service.process({ smtpUrl: 'smtp://127.0.0.1', mailFrom: 'a@example.com' });
    await feature.checkChannels(administrator, [mail('a@example.com')]);
  });
});

it('the operator is told of webhooks whose address is no longer allowed', async () => {
  await service.save([hook('one'), mail('a@example.com'), { type: 'webhook', url: 'https://8.8.8.8/' }]);
  const listed = await refusedWebhooks(service.postgres.db, { allowed: [] });
  expect(listed).toEqual([expect.stringContaining(`alert rule ${ruleId} of project ${projectA}: 127.0.0.1 is not an address`)]);
  expect(await refusedWebhooks(service.postgres.db, { allowed: ['127.0.0.0/8'] })).toEqual([]);
});
