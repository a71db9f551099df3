import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openNotificationsService, opening, projectB } from './notifications-service.fixture.ts';
import type { NotificationsService } from './notifications-service.fixture.ts';
import { openWebhookReceiver } from './webhook-receiver.fixture.ts';
import type { WebhookReceiver } from './webhook-receiver.fixture.ts';

const otherRule = '0197c000-0000-7000-8000-000000000002';
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

it('a receiver that hangs does not delay another channel of its project', async () => {
  receiver.answer((response, { path }) => void (path === '/hangs' || response.end()));
  const patient = service.process({ timeoutMs: 60_000, turnMs: 5, graceMs: 0 });
  await service.save([
    { type: 'webhook', url: `${receiver.url}/hangs` },
    { type: 'webhook', url: `${receiver.url}/answers` },
  ]);
  for (let incident = 0; incident < 20; incident++) await service.notify();
  patient.startWorkers?.();
  await vi.waitFor(async () => {
    service.clock.advance(5);
    patient.wake();
    expect(receiver.received.filter(({ path }) => path === '/answers')).toHaveLength(20);
  }, 30_000);
  expect(receiver.received.filter(({ path }) => path === '/hangs')).toHaveLength(2);
  await patient.close?.();
});

it('a receiver that hangs delays other projects by nothing', async () => {
  const hanging = Array.from({ length: 10 }, () => ({ type: 'webhook' as const, url: `${receiver.url}/hang` }));
  await service.save(hanging);
  await service.save([{ type: 'webhook', url: `${receiver.url}/fine` }], projectB, otherRule);
  receiver.answer((response, { path }) => void (path === '/fine' && response.end()));
  const working = service.process({ timeoutMs: 60_000, graceMs: 0 });
  for (let round = 0; round < 10; round++) await service.notify();
  await service.notify({ projectId: projectB, rule: { ...opening.rule, id: otherRule } });
  const fine = receiver.arrival('/fine');
  working.startWorkers?.();
  await fine;
  expect(receiver.received.filter(({ path }) => path === '/hang').length).toBeLessThanOrEqual(2);
  await working.close?.();
});
