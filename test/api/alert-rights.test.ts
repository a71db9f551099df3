import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answering, openWebhookReceiver } from '../../src/features/notifications/webhook-receiver.fixture.ts';
import type { WebhookReceiver } from '../../src/features/notifications/webhook-receiver.fixture.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { tokenOfRole } from '../support/role-tokens.ts';

let service: Governance;
let receiver: WebhookReceiver;
let member: Record<string, string>;
let viewer: Record<string, string>;
let made = 0;

beforeAll(async () => {
  service = await openGovernance(Date.UTC(2026, 10, 20, 10));
  receiver = await openWebhookReceiver();
  member = await tokenOfRole(service.app, 'member');
  viewer = await tokenOfRole(service.app, 'viewer');
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(() => void service.app.clock.advance(3_600_000));

const rule = (url: string) => ({
  name: `Errors ${++made}`,
  type: 'error-rate',
  threshold: 0.5,
  channels: [{ type: 'webhook', url }],
});
const urlsSeenBy = async (headers: Record<string, string>, id: string) => {
  const one = (await service.as(headers, 'GET', `/alerts/${id}`)).body;
  const { alerts } = (await service.as(headers, 'GET', '/alerts')).body;
  const listed = alerts.find((other: { id: string }) => other.id === id);
  const { deliveries } = (await service.as(headers, 'GET', `/alerts/${id}/deliveries`)).body;
  return [
    one.channels[0].url,
    listed.channels[0].url,
    ...deliveries.map((each: { channel: { url: string } }) => each.channel.url),
  ];
};

test('owners and admins alone save a webhook on loopback and read what it answers', async () => {
  receiver.answer(answering(500, {}, 'RabbitMQ 3.13 management'));
  const url = `${receiver.url}/hook`;
  expect(await service.as(member, 'POST', '/alerts', rule(url))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const { body: saved } = await service.owner('POST', '/alerts', rule(url));
  expect((await service.as(member, 'PATCH', `/alerts/${saved.id}`, { channels: saved.channels.map(unsaved) })).status).toBe(200);
  const moved = { channels: [{ type: 'webhook', url: `${receiver.url}/other` }] };
  expect((await service.as(member, 'PATCH', `/alerts/${saved.id}`, moved)).status).toBe(403);

  await service.owner('POST', `/alerts/${saved.id}/test`);
  await service.app.features.notifications.runPending();
  const answerSeenBy = async (headers: Record<string, string>) =>
    (await service.as(headers, 'GET', `/alerts/${saved.id}/deliveries`)).body.deliveries[0].attempts[0];
  expect((await answerSeenBy({ cookie: service.app.cookie })).error).toBe('The receiver answered 500: RabbitMQ 3.13 management');
  for (const headers of [member, viewer, { 'x-api-key': service.app.apiKey }]) {
    expect(await answerSeenBy(headers)).toMatchObject({ statusCode: 500, error: 'The receiver answered 500.' });
  }
});

test("a webhook's URL is its origin for an API key and a viewer", async () => {
  const url = 'https://hooks.slack.invalid/services/T0/B0/secret?token=x';
  const { body: saved } = await service.owner('POST', '/alerts', rule(url));
  await service.owner('POST', `/alerts/${saved.id}/test`);
  for (const headers of [viewer, { 'x-api-key': service.app.apiKey }]) {
    expect(await urlsSeenBy(headers, saved.id)).toEqual(Array(3).fill('https://hooks.slack.invalid'));
  }
  expect(await urlsSeenBy(member, saved.id)).toEqual(Array(3).fill(url));
});

test('a project sends ten tests an hour', async () => {
  const { body: saved } = await service.owner('POST', '/alerts', rule('https://hooks.invalid/'));
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await service.as(member, 'POST', `/alerts/${saved.id}/test`)).status);
  expect(statuses).toEqual([...Array(10).fill(202), 429]);
  const refused = await service.owner('POST', `/alerts/${saved.id}/test`);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

// The last: it cannot be undone.
test('a second organization ends loopback, for what was saved before too, without a restart', async () => {
  receiver.answer(answering(200));
  const { body: saved } = await service.owner('POST', '/alerts', rule(`${receiver.url}/before`));
  const connection = { name: 'local', baseUrl: `${receiver.url}/v1`, model: 'm' };
  expect((await service.owner('POST', '/model-connections', connection)).status).toBe(201);
  await service.owner('POST', `/alerts/${saved.id}/test`);
  await service.app.features.notifications.runPending();
  expect(receiver.received.filter(({ path }) => path === '/before')).toHaveLength(1);

  expect((await service.ownerAt('POST', '/v1/organizations', { name: 'Second' })).status).toBe(201);
  const refusals = [
    await service.owner('POST', '/alerts', rule(`${receiver.url}/after`)),
    await service.owner('POST', '/model-connections', { ...connection, name: 'other' }),
  ];
  for (const { status, body } of refusals) {
    expect([status, body.code, body.error]).toEqual([400, 'invalid_request', expect.stringContaining('SPANWISE_OUTGOING_ALLOW')]);
  }
  await service.owner('POST', `/alerts/${saved.id}/test`);
  await service.app.features.notifications.runPending();
  expect(receiver.received.filter(({ path }) => path === '/before')).toHaveLength(1);
});

function unsaved({ type, url }: { type: string; url: string }) {
  return { type, url };
}
