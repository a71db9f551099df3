import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../contract/notifications.ts';
import { waitsMs } from './delivery-jobs.ts';
import {
  incidentId,
  nowMs,
  openNotificationsService,
  opening,
  projectA,
  projectB,
  ruleId,
} from './notifications-service.fixture.ts';
import type { NotificationsService } from './notifications-service.fixture.ts';
import { answering, openWebhookReceiver } from './webhook-receiver.fixture.ts';
import type { ReceivedWebhook, WebhookReceiver } from './webhook-receiver.fixture.ts';

const timeoutMs = 300;
const otherRule = '0197c000-0000-7000-8000-000000000002';
let service: NotificationsService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await openNotificationsService({ timeoutMs });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.clear();
  receiver = await openWebhookReceiver();
  return () => receiver.close();
});

/** The only delivery of the rule. */
async function delivery(): Promise<Delivery> {
  const [only, ...more] = await service.deliveries();
  if (!only || more.length > 0) throw new Error('there is not exactly one delivery');
  return only;
}
const saveWebhook = async (path = '/hook', secret?: string) => {
  const [channel] = await service.save([{ type: 'webhook', url: receiver.url + path, ...(secret ? { secret } : {}) }]);
  if (channel?.type !== 'webhook') throw new Error('no webhook');
  return channel;
};
const first = (): ReceivedWebhook => {
  const [webhook] = receiver.received;
  if (!webhook) throw new Error('nothing was received');
  return webhook;
};
/** Computed apart from the library that signs. */
function signatureOf({ headers, body }: ReceivedWebhook, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('a webhook', () => {
  it('is posted with the headers and the signature of Standard Webhooks', async () => {
    const { secret = '' } = await saveWebhook();
    const [id] = await service.notify();
    await service.after(2_500);
    const { headers, body, path } = first();
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String((nowMs + 2_000) / 1_000),
    });
    expect(headers['webhook-signature']).toBe(signatureOf(first(), secret));
    expect(JSON.parse(body)).toEqual({
      type: 'incident.opened',
      timestamp: new Date(nowMs).toISOString(),
      data: {
        ...opening.data,
        rule: opening.rule,
        project: { id: projectA, name: 'Project a' },
        url: `https://spanwise.example.com/projects/${projectA}/incidents/${incidentId}`,
      },
    });
    expect(await delivery()).toMatchObject({
      id,
      type: 'incident.opened',
      incidentId,
      status: 'delivered',
      attempts: [{ at: new Date(nowMs + 2_500).toISOString(), statusCode: 200, error: null }],
      nextAttemptAt: null,
    });
  });

  it('is tried eleven times with growing waits, the same id and body, and the time of the attempt', async () => {
    receiver.answer(answering(500, {}, 'out of order'));
    await saveWebhook();
    const [id] = await service.notify();
    await service.after(0);
    const times = [nowMs];
    for (const [place, waitMs] of waitsMs.entries()) {
      const { status, nextAttemptAt } = await delivery();
      expect([status, nextAttemptAt]).toEqual(['pending', new Date(service.clock.now() + waitMs).toISOString()]);
      await service.after(waitMs - 1);
      expect(receiver.received).toHaveLength(place + 1);
      await service.after(1);
      times.push(service.clock.now());
    }
    expect(waitsMs.map((ms) => ms / 1_000)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]);
    expect(idsOf()).toEqual(times.map(() => id));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
      times.map((ms) => Math.floor(ms / 1_000)),
    );
    const ended = await delivery();
    expect([ended.status, ended.nextAttemptAt]).toEqual(['failed', null]);
    expect(ended.attempts).toEqual(
      times.map((ms) => ({ at: new Date(ms).toISOString(), statusCode: 500, error: 'The receiver answered 500: out of order' })),
    );
    await service.after(30 * 3_600_000);
    expect(receiver.received).toHaveLength(11);
  });

  it.each([
    ['a redirect', answering(302, { location: '/other' }), 302, /302; redirects are not followed/],
    ['no answer', () => undefined, null, /did not answer within 0.3 seconds/],
    ['a broken connection', (response: { destroy(): void }) => response.destroy(), null, /broke the connection/],
    ['a long error', answering(503, {}, `a\n\u0000${'b'.repeat(100_000)}`), 503, /^The receiver answered 503: a b{197}…$/],
  ] as const)('is tried again after %s', async (_what, how, statusCode, error) => {
    receiver.answer(how);
    await saveWebhook();
    await service.notify();
    await service.after(0);
    expect(await delivery()).toMatchObject({
      status: 'pending',
      attempts: [{ statusCode, error: expect.stringMatching(error) }],
    });
    receiver.answer(answering(204));
    await service.after(5_000);
    expect((await delivery()).status).toBe('delivered');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
  });

  it.each([
    ['is too long', answering(200, {}, 'a'.repeat(1_000_000))],
    [
      'never ends',
      (response: { writeHead(status: number): { write(text: string): void } }) => response.writeHead(201).write('a'),
    ],
  ])('is delivered by an answer of 2xx whose body %s, and is not sent again', async (_what, how) => {
    receiver.answer(how);
    await saveWebhook();
    await service.notify();
    await service.after(0);
    await service.after(100_000);
    expect((await delivery()).status).toBe('delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('whose receiver answers 410 is disabled, and its waiting deliveries fail with a sentence', async () => {
    await saveWebhook();
    receiver.answer(answering(500));
    await service.notify();
    await service.after(0);
    receiver.answer(answering(410));
    const [gone] = await service.notify({ type: 'incident.resolved' });
    await service.after(0);
    const [channel] = (await service.feature.channelsOf(service.postgres.db, [ruleId])).get(ruleId) ?? [];
    expect(channel?.disabledAt).toBe(new Date(nowMs).toISOString());
    const [resolved, opened] = await service.deliveries();
    expect(resolved).toMatchObject({ id: gone, status: 'failed', attempts: [{ statusCode: 410 }], nextAttemptAt: null });
    expect(opened).toMatchObject({
      status: 'failed',
      attempts: [{ statusCode: 500 }, { statusCode: null, error: expect.stringContaining('disabled the channel') }],
    });
    expect(await service.notify()).toEqual([]);
    await service.after(100_000);
    expect(receiver.received).toHaveLength(2);
    receiver.answer(answering(200));
    expect(await service.notify({ type: 'test', incidentId: null })).toHaveLength(1);
    await service.after(0);
    expect((await service.deliveries())[0]).toMatchObject({ type: 'test', status: 'delivered', attempts: [{ statusCode: 200 }] });
    expect((await service.feature.channelsOf(service.postgres.db, [ruleId])).get(ruleId)).toEqual([channel]);
    const again = await saveWebhook();
    expect(again).toMatchObject({ id: channel?.id, disabledAt: null });
    expect(await service.notify()).toHaveLength(1);
    await service.after(0);
    expect(receiver.received).toHaveLength(4);
  });
});

it('a webhook saved again without a secret is signed with the one that it had', async () => {
  const { secret = '' } = await saveWebhook();
  await saveWebhook();
  await service.notify();
  await service.after(0);
  expect(first().headers['webhook-signature']).toBe(signatureOf(first(), secret));
});

describe('sending again', () => {
  it('starts from the first attempt with the same id, also after success', async () => {
    await saveWebhook();
    const [id = ''] = await service.notify();
    await service.after(0);
    receiver.answer(answering(500));
    await service.feature.redeliver(projectA, ruleId, id);
    await service.after(0);
    expect(await delivery()).toMatchObject({ status: 'pending', nextAttemptAt: new Date(nowMs + 5_000).toISOString() });
    for (const waitMs of waitsMs) await service.after(waitMs);
    expect((await delivery()).status).toBe('failed');
    receiver.answer(answering(200));
    await service.feature.redeliver(projectA, ruleId, id.toUpperCase());
    await service.after(0);
    expect(await delivery()).toMatchObject({ status: 'delivered' });
    expect(idsOf()).toEqual(Array.from({ length: 13 }, () => id));
    expect((await delivery()).attempts).toHaveLength(13);
  });

  it('of what is not a delivery of the rule is refused', async () => {
    await saveWebhook();
    const [id = ''] = await service.notify();
    for (const [project, rule, one] of [
      [projectB, ruleId, id],
      [projectA, otherRule, id],
      [projectA, ruleId, ruleId],
      [projectA, ruleId, 'x'],
    ] as const)
      await expect(service.feature.redeliver(project, rule, one)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('deliveries', () => {
  it('are queued in the transaction of the caller', async () => {
    await saveWebhook();
    const failing = service.postgres.db.transaction().execute(async (transaction) => {
      await service.feature.notify(transaction, opening);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await service.deliveries()).toEqual([]);
  });

  it('of a rule that was deleted are still sent, with the secret that the channel had', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    await saveWebhook('/hook', secret);
    await service.notify({ type: 'incident.resolved' });
    await service.postgres.db.transaction().execute((transaction) => service.feature.deleteChannels(transaction, ruleId));
    await service.after(0);
    expect(first().headers['webhook-signature']).toBe(signatureOf(first(), secret));
  });

  it('beyond the limit of a project are refused and counted', async () => {
    const small = service.process({ maxUnfinished: 3 });
    await service.save(['/1', '/2'].map((path) => ({ type: 'webhook' as const, url: receiver.url + path })));
    const ask = () => service.postgres.db.transaction().execute((transaction) => small.notify(transaction, opening));
    expect(await ask()).toHaveLength(2);
    expect(await ask()).toHaveLength(1);
    expect(await ask()).toEqual([]);
    expect(await service.deliveries()).toHaveLength(3);
    expect(await service.metrics.registry.metrics()).toContain('spanwise_queue_refused_total{queue="notifications"} 3');
  });

  it('are counted by the type of the channel and the outcome', async () => {
    const count = async (outcome: string) => {
      const text = await service.metrics.registry.metrics();
      return Number(new RegExp(`attempts_total{channel="webhook",outcome="${outcome}"} (\\d+)`).exec(text)?.[1] ?? 0);
    };
    const before = { retry: await count('retry'), delivered: await count('delivered'), failed: await count('failed') };
    await saveWebhook();
    receiver.answer(answering(500));
    await service.notify();
    await service.after(0);
    receiver.answer(answering(200));
    await service.after(5_000);
    receiver.answer(answering(410));
    await service.notify();
    await service.after(0);
    expect([await count('retry'), await count('delivered'), await count('failed')]).toEqual([
      before.retry + 1,
      before.delivered + 1,
      before.failed + 1,
    ]);
  });

  it('are listed newest first in pages, those of the rule only', async () => {
    await saveWebhook();
    for (let number = 0; number < 3; number++) {
      await service.notify();
      service.clock.advance(1_000);
    }
    await service.save([{ type: 'webhook', url: receiver.url }], projectA, otherRule);
    await service.notify({ rule: { ...opening.rule, id: otherRule } });
    const list = (cursor?: string) => service.feature.listDeliveries(projectA, ruleId, { limit: 2, cursor });
    const newest = await list();
    const second = await list(newest.nextCursor ?? '');
    expect([...newest.deliveries, ...second.deliveries].map(({ createdAt }) => Date.parse(createdAt) - nowMs)).toEqual([
      2_000, 1_000, 0,
    ]);
    expect(second.nextCursor).toBeNull();
    expect(await service.deliveries(projectB)).toEqual([]);
  });

  it('are deleted 30 days after their end, pending ones never, with their messages', async () => {
    await saveWebhook();
    await service.notify();
    await service.after(0);
    receiver.answer(answering(500));
    await service.notify();
    const day = 86_400_000;
    const run = async () => {
      for (const job of service.feature.jobs ?? []) await job.run(new AbortController().signal);
      return (await service.deliveries()).map(({ status }) => status);
    };
    service.clock.advance(30 * day);
    expect(await run()).toEqual(['pending', 'delivered']);
    service.clock.advance(1);
    expect(await run()).toEqual(['pending']);
    const messages = service.postgres.db.selectFrom('notification_messages');
    expect(await messages.selectAll().execute()).toHaveLength(1);
  });

  it('have bodies of at most 256 KiB: the longest lists are shortened', async () => {
    await saveWebhook();
    const changes = Array.from({ length: 1_000 }, (_, place) => ({ place, description: 'x'.repeat(1_000) }));
    await service.notify({ data: { sampleTraceIds: ['t1'], changes } });
    await service.after(0);
    const body = receiver.received[0]?.body ?? '';
    const { data } = JSON.parse(body) as { data: { sampleTraceIds: string[]; changes: unknown[] } };
    expect(body.length).toBeLessThanOrEqual(256 * 1_024);
    expect(data.sampleTraceIds).toEqual(['t1']);
    expect(data.changes.length).toBe(250);
    expect(data.changes.at(-1)).toEqual(changes[249]);
  });
});

describe('several processes', () => {
  it('deliver once', async () => {
    const channels = Array.from({ length: 8 }, (_, place) => ({ type: 'webhook' as const, url: `${receiver.url}/${place}` }));
    await service.save(channels);
    const ids = await service.notify();
    const other = service.process();
    await Promise.all([service.feature.runPending(), other.runPending()]);
    expect(idsOf().toSorted()).toEqual(ids.toSorted());
    expect((await service.deliveries()).map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
  });

  it('take over an attempt whose process has died, with the same id; the late outcome of the first changes nothing', async () => {
    await saveWebhook();
    const [id] = await service.notify();
    const slow = service.process({ timeoutMs: 60_000 });
    let answerFirst: () => void = () => undefined;
    receiver.answer((response) => {
      answerFirst = () => void response.writeHead(500).end();
    });
    const arrived = receiver.arrival('/hook');
    const stalled = slow.runPending();
    await arrived;
    receiver.answer(answering(200));
    await service.after(91_000);
    answerFirst();
    await stalled;
    expect(idsOf()).toEqual([id, id]);
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
  });

  it('release what they were sending when they stop; it is not counted as an attempt', async () => {
    await saveWebhook();
    await service.notify();
    const stopping = service.process({ timeoutMs: 60_000, graceMs: 0 });
    receiver.answer(() => undefined);
    const arrived = receiver.arrival('/hook');
    stopping.startWorkers?.();
    await arrived;
    await stopping.close?.();
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: [] });
    receiver.answer(answering(200));
    await service.after(0);
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
  });
});
