import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AlertRule } from '../../../src/contract/alerts.ts';
import type { Incident } from '../../../src/contract/incidents.ts';
import type { Delivery } from '../../../src/contract/notifications.ts';
import { isNightly } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { Random } from '../rounds/random.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';
import { gonePath, openFaultyReceiver } from './faulty-receiver.ts';
import type { FaultyReceiver } from './faulty-receiver.ts';

/** `DELIVERY_ROUNDS=50 npm run test:faults -- test/faults/deliveries` runs more; `DELIVERY_SEED` repeats the choices of a run. */
const rounds = Number(process.env['DELIVERY_ROUNDS'] ?? (isNightly ? 15 : 3));
const seed = Number(process.env['DELIVERY_SEED'] ?? randomInt(2 ** 31));
const random = new Random(seed);
/** Each receives every announcement; the receiver disables the other channel at times. */
const steadyPaths = ['/first', '/second'];
const ruleCount = 3;
/** A process that reaches no moment to kill it is killed after this time. */
const longestLifeMs = 10_000;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let receiver: FaultyReceiver;
/** The last service; a test that fails leaves it running. */
let running: Service | undefined;
/** Deliveries that an answer of the API showed as delivered. */
const recorded = new Set<string>();
/** Arrivals of deliveries that were recorded as delivered before. */
const repeated: string[] = [];
/** Deliveries of test messages that were acknowledged. */
const tested = new Set<string>();

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  receiver = await openFaultyReceiver(random);
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await receiver.close();
  await directory.remove();
});

const start = async () => {
  running = await startService({ dataDirectory: directory.path, env: { SPANWISE_ALERT_INTERVAL_S: '1' } });
  return running;
};

/** Every record of a list; what the killed process did not answer is missing. */
async function listAll<T>(session: Session, path: string, field: string): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = (await session.project('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`))?.body;
    found.push(...(page?.[field] ?? []));
    cursor = page?.nextCursor ?? null;
  } while (cursor !== null);
  return found;
}

const rulesOf = (session: Session) => listAll<AlertRule>(session, '/alerts', 'alerts');

async function deliveriesOf(session: Session, rules?: ReadonlyArray<Pick<AlertRule, 'id'>>): Promise<Delivery[]> {
  const listed: Delivery[] = [];
  for (const { id } of rules ?? (await rulesOf(session)))
    listed.push(...(await listAll<Delivery>(session, `/alerts/${id}/deliveries`, 'deliveries')));
  for (const { id, status } of listed) if (status === 'delivered') recorded.add(id);
  return listed;
}

/** Creates the rules, or enables the channels that the receiver disabled. Each rule fires at every evaluation. */
async function saveRules(session: Session): Promise<void> {
  const channels = [...steadyPaths, gonePath].map((path) => ({ type: 'webhook', url: receiver.url + path }));
  const rules = await rulesOf(session);
  for (let place = rules.length; place < ruleCount; place += 1) {
    const rule = { name: `Rule ${place}`, type: 'cost', threshold: 1, noData: 'fire', channels };
    expect(await session.project('POST', '/alerts', rule)).toMatchObject({ status: 201 });
  }
  for (const { id } of rules)
    expect(await session.project('PATCH', `/alerts/${id}`, { channels })).toMatchObject({ status: 200 });
}

/** Resolves, acknowledges and tests until the process is killed. Evaluations open the incidents. */
async function changeUntilKilled(session: Session): Promise<void> {
  const rules = await rulesOf(session);
  for (let threshold = 2; rules.length > 0; threshold += 1) {
    const { id } = random.pick(rules);
    const [open] = await listAll<Incident>(session, `/incidents?ruleId=${id}&status=open`, 'incidents');
    const way = random.whole(0, 9);
    const answer =
      way === 0
        ? await session.project('POST', `/alerts/${id}/test`)
        : way < 4 && open
          ? await session.project('PATCH', `/incidents/${open.id}`, { status: 'acknowledged' })
          : await session.project('PATCH', `/alerts/${id}`, { threshold });
    if (answer === null) return;
    expect([200, 202]).toContain(answer.status);
    if (way === 0) for (const delivery of answer.body.deliveries) tested.add(delivery);
    await deliveriesOf(session, [{ id }]);
    await delay(100);
  }
}

/** Kills the service when a request arrives, once an answer was written, or after a time. */
function killLater(service: Service, round: number): void {
  const kill = () => void service.child.kill('SIGKILL');
  let left = random.whole(2, 12);
  const counted = () => {
    left -= 1;
    if (left === 0) kill();
    return left <= 0;
  };
  const way = (['arrival', 'answer', 'time'] as const)[round % 3];
  const timer = setTimeout(kill, way === 'time' ? random.whole(500, 4_000) : longestLifeMs);
  service.child.once('exit', () => clearTimeout(timer));
  receiver.onArrival = ({ id, path }) => {
    if (recorded.has(id)) repeated.push(id);
    // Another channel's delivery would fail if a later answer disabled its channel.
    return way === 'arrival' && (left <= 0 || (path !== gonePath && counted()));
  };
  receiver.onAccepted = () => void (way === 'answer' && counted());
}

/** Checks that the rules' channels have exactly the announcements of their incidents, and every acknowledged test message. */
function compareWithIncidents(deliveries: readonly Delivery[], incidents: readonly Incident[]): void {
  const announced = incidents.flatMap(({ id, events }) => events.map(({ kind }) => `${id} incident.${kind}`)).toSorted();
  const onPath = (path: string) =>
    deliveries
      .filter(({ channel, type }) => channel.url === receiver.url + path && type !== 'test')
      .map(({ incidentId, type }) => `${incidentId} ${type}`)
      .toSorted();
  for (const path of steadyPaths) expect(onPath(path), path).toEqual(announced);
  const gone = onPath(gonePath);
  expect(new Set(gone).size).toBe(gone.length);
  expect(announced).toEqual(expect.arrayContaining(gone));
  expect(deliveries.filter(({ type }) => type === 'test').map(({ id }) => id)).toEqual(expect.arrayContaining([...tested]));
}

/** Checks what a delivery says of its attempts. docs/semantics.md, "Notifications" */
function checkRecord({ status, attempts, nextAttemptAt, channel }: Delivery): void {
  const accepted = attempts.findIndex(({ statusCode }) => statusCode === 200);
  // Nothing follows a recorded success.
  expect(accepted).toBe(status === 'delivered' ? attempts.length - 1 : -1);
  expect(nextAttemptAt === null).toBe(status !== 'pending');
  if (status !== 'failed') return;
  expect(channel.url).toBe(receiver.url + gonePath);
  expect(attempts.at(-1)?.error).toMatch(/410.* disable[sd] the channel/);
}

/** Checks that a delivery's requests are the recorded attempts and those that a kill interrupted, all of them the same. */
function compareWithArrivals({ id, type, incidentId, attempts, channel, status }: Delivery): void {
  const arrivals = receiver.arrivals.filter((arrival) => arrival.id === id);
  expect(new Set(arrivals.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
  for (const { path, body } of arrivals) {
    expect(receiver.url + path).toBe(channel.url);
    const message = JSON.parse(body);
    expect([message.type, message.data.id ?? null]).toEqual([type, incidentId]);
  }
  const rest = arrivals.map((arrival) => arrival.status).values();
  for (const { statusCode } of attempts)
    if (statusCode !== null)
      expect(
        rest.some((answered) => answered === statusCode),
        `${id} was answered ${statusCode}`,
      ).toBe(true);
  expect(arrivals.length).toBeLessThanOrEqual(attempts.length + rounds);
  if (status === 'delivered') expect(arrivals.map((arrival) => arrival.status)).toContain(200);
}

test(
  'webhooks are sent until they are accepted, whatever the receiver does and whenever the service is killed',
  {
    timeout: 90_000 + rounds * 40_000,
  },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      receiver.life = round;
      const service = await start();
      const ended = new Promise<void>((resolve) => service.child.once('exit', () => resolve()));
      const session = await openSession(service);
      await deliveriesOf(session);
      await saveRules(session);
      killLater(service, round);
      await changeUntilKilled(session);
      await ended;
    }

    receiver.life = rounds;
    receiver.healthy = true;
    receiver.onArrival = ({ id }) => (recorded.has(id) && repeated.push(id), false);
    const service = await start();
    const session = await openSession(service);
    for (const { id } of await rulesOf(session))
      expect(await session.project('PATCH', `/alerts/${id}`, { enabled: false })).toMatchObject({ status: 200 });
    const listed = await deliveriesOf(session);
    compareWithIncidents(listed, await listAll<Incident>(session, '/incidents', 'incidents'));
    listed.forEach(checkRecord);
    expect(repeated).toEqual([]);

    // The others wait for up to two minutes.
    receiver.onArrival = () => false;
    const ruleOf = new Map((await listAll<Incident>(session, '/incidents', 'incidents')).map(({ id, ruleId }) => [id, ruleId]));
    const asked = new Set<string>();
    for (const { id, status, incidentId } of await deliveriesOf(session)) {
      if (status !== 'pending' || incidentId === null) continue;
      asked.add(id);
      const path = `/alerts/${ruleOf.get(incidentId)}/deliveries/${id}/redeliver`;
      expect(await session.project('POST', path)).toMatchObject({ status: 202 });
    }
    const ended = await vi.waitFor(
      async () => {
        const deliveries = await deliveriesOf(session);
        expect(deliveries.filter(({ status, type }) => status === 'pending' && type !== 'test')).toEqual([]);
        return deliveries;
      },
      { timeout: 60_000, interval: 200 },
    );
    ended.filter(({ id }) => !asked.has(id)).forEach(checkRecord);
    ended.forEach(compareWithArrivals);
    const known = new Set(ended.map(({ id }) => id));
    expect(receiver.arrivals.filter(({ id, path }) => !known.has(id) || path === '/elsewhere')).toEqual([]);
    // The runs interrupted and retried something.
    const livesOf = (id: string) =>
      new Set(receiver.arrivals.filter((arrival) => arrival.id === id).map(({ life }) => life)).size;
    expect(ended.filter(({ id }) => livesOf(id) > 1).length).toBeGreaterThan(0);
    expect(await service.stop('SIGTERM')).toBe(0);
  },
);
