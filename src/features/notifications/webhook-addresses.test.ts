import { isIP } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openNotificationsService, projectA, ruleId } from './notifications-service.fixture.ts';
import type { NotificationsService } from './notifications-service.fixture.ts';
import { openWebhookReceiver } from './webhook-receiver.fixture.ts';
import type { WebhookReceiver } from './webhook-receiver.fixture.ts';

const administrator = { projectId: projectA, ruleId, administers: true };
let service: NotificationsService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await openNotificationsService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.clear();
  receiver = await openWebhookReceiver();
  return () => receiver.close();
});

describe('a webhook', () => {
  it('that a member saved reaches public addresses alone, whatever its name resolves to later', async () => {
    let current = '8.8.8.8';
    const rebinding = service.process({
      resolve: (_host, _options, done) => done(null, [{ address: current, family: 4 }]),
    });
    const channels = [{ type: 'webhook' as const, url: `http://rebinding.test:${new URL(receiver.url).port}/hook` }];
    const checked = await rebinding.checkChannels({ ...administrator, administers: false }, channels);
    await service.postgres.db
      .transaction()
      .execute((transaction) => rebinding.setChannels(transaction, projectA, ruleId, checked));
    await service.notify();
    current = '127.0.0.1';
    await rebinding.runPending();
    expect(receiver.received).toEqual([]);
    expect((await service.deliveries())[0]?.attempts[0]?.error).toContain('is not an address of the public internet');
  });

  it('is not sent to an address that the policy refuses', async () => {
    await service.save([{ type: 'webhook', url: `${receiver.url}/hook` }]);
    await service.notify();
    const strict = service.process({ addresses: { allowed: [] } });
    await strict.runPending();
    expect(receiver.received).toEqual([]);
    expect((await service.deliveries()).map(({ attempts }) => attempts)).toMatchObject([
      [{ statusCode: null, error: expect.stringContaining('SPANWISE_OUTGOING_ALLOW') }],
    ]);
  });

  it.each([
    ['a private', '10.0.0.1', []],
    ['a loopback', '127.0.0.1', ['10.0.0.0/8']],
    ['a link-local', '169.254.169.254', ['0.0.0.0/0']],
    ['a link-local IPv6', 'fe80::1', ['::/0']],
  ])(
    'is not sent where its name resolves to %s address that it did not have when it was saved',
    async (_what, address, allowed) => {
      let current = '8.8.8.8';
      const rebinding = service.process({
        addresses: { allowed },
        resolve: (_host, _options, done) => done(null, [{ address: current, family: isIP(current) }]),
      });
      const url = `http://rebinding.test:${new URL(receiver.url).port}/hook`;
      await rebinding.checkChannels(administrator, [{ type: 'webhook', url }]);
      await service.save([{ type: 'webhook', url }]);
      await service.notify();
      current = address;
      await rebinding.runPending();
      expect(receiver.received).toEqual([]);
      const error = expect.stringMatching(/^rebinding\.test is not an address of the public internet/);
      expect(await service.deliveries()).toMatchObject([{ status: 'pending', attempts: [{ statusCode: null, error }] }]);
      await expect(rebinding.checkChannels(administrator, [{ type: 'webhook', url }])).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  );
});
