import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebhookReceiver } from '../../src/features/notifications/webhook-receiver.fixture.ts';
import type { WebhookReceiver } from '../../src/features/notifications/webhook-receiver.fixture.ts';
import { send } from '../../src/platform/http/http-service.fixture.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { dayMs } from '../../src/contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 22, 10);
let app: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await startTestApp(nowMs, { SPANWISE_METRICS_PUBLIC: 'true' });
  receiver = await openWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const owner = async (method: string, path: string, body?: unknown) => {
  const given = { method, headers: { cookie: app.cookie }, ...(body === undefined ? {} : { body }) };
  const answer = await send(`${app.url}/v1/projects/${app.projectId}${path}`, given);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};
/** Calls a model that is retired in some days. */
async function callModel(model: string, days: number): Promise<void> {
  const retiresOn = new Date(app.clock.now() + days * dayMs).toISOString().slice(0, 10);
  await owner('PUT', `/model-lifecycle/catalogue/${model}`, { retiresOn });
  const at = new Date(app.clock.now() - 1_000).toISOString();
  const span = { type: 'span', traceId: model, spanId: 's', name: 'chat', kind: 'llm', model, startTime: at, endTime: at };
  expect(await app.send([span])).toMatchObject({ accepted: 1 });
}
/** Runs the daily scan and sends what it announced. */
async function scan(): Promise<void> {
  for (const job of app.features.modelLifecycle.jobs ?? []) await job.run(new AbortController().signal);
  await app.features.notifications.runPending();
}
const received = () => receiver.received.map(({ path, body }) => [path, JSON.parse(body)] as const);
const findings = async () => (await owner('GET', '/model-lifecycle/findings')).findings;
const ruleOn = (path: string, given: object) =>
  owner('POST', '/alerts', { name: path, channels: [{ type: 'webhook', url: receiver.url + path }], ...given });

test('a raised finding reaches the channels of enabled rules of type model-lifecycle, and no others', async () => {
  await callModel('early', 20);
  await scan();
  expect(await findings()).toMatchObject([{ model: 'early', band: 30 }]);
  const rule = await ruleOn('/on', { type: 'model-lifecycle' });
  await ruleOn('/off', { type: 'model-lifecycle', enabled: false });
  await ruleOn('/cost', { type: 'cost', threshold: 1_000 });
  app.clock.advance(dayMs);
  await scan();
  // What was raised before there was a rule is not announced afterwards.
  expect(received()).toEqual([]);

  await callModel('late', 5);
  app.clock.advance(dayMs);
  await scan();
  const [finding] = await findings();
  expect(finding).toMatchObject({ model: 'late', band: 7, daysRemaining: 4 });
  expect(received()).toEqual([
    [
      '/on',
      {
        type: 'model_lifecycle.raised',
        timestamp: new Date(app.clock.now()).toISOString(),
        data: {
          ...finding,
          rule: { id: rule.id, name: '/on', type: 'model-lifecycle' },
          project: { id: app.projectId, name: expect.any(String) },
          url: expect.stringMatching(/\/model-lifecycle$/),
        },
      },
    ],
  ]);
  app.clock.advance(dayMs);
  await scan();
  expect(received()).toHaveLength(1);

  // The first model comes into its next band, and the second is retired.
  app.clock.advance(11 * dayMs);
  await scan();
  expect(
    received()
      .slice(1)
      .map(([path, { data }]) => [path, data.model, data.band])
      .toSorted(),
  ).toEqual([
    ['/on', 'early', 7],
    ['/on', 'late', 0],
  ]);
});

test('evaluations of rules and deliveries are counted in GET /metrics', async () => {
  const count = async (name: string) => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  };
  const series = [
    'spanwise_alert_evaluations_total{result="firing"}',
    'spanwise_notification_attempts_total{channel="webhook",outcome="delivered"}',
    'spanwise_notification_attempts_total{channel="webhook",outcome="retry"}',
    'spanwise_notification_attempts_total{channel="webhook",outcome="failed"}',
  ];
  const counts = () => Promise.all(series.map(count));
  const before = await counts();
  await ruleOn('/fired', { type: 'cost', threshold: 1, noData: 'fire', window: '5m' });
  const statuses = [500, 410];
  for (const path of ['/a', '/b']) {
    const { id } = await ruleOn(path, { type: 'cost', threshold: 1_000 });
    await owner('POST', `/alerts/${id}/test`);
  }
  receiver.answer((response, { path }) => void response.writeHead(path === '/fired' ? 200 : (statuses.pop() ?? 200)).end());
  for (const job of app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
  await app.features.notifications.runPending();
  const after = await counts();
  expect(after.map((figure, place) => figure - (before[place] ?? 0))).toEqual([1, 1, 1, 1]);
});
