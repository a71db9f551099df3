import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canShare, openSharedStores } from '../../support/replicas.ts';
import type { Stores } from '../../support/replicas.ts';
import type { Service } from '../../support/service.ts';
import { testServers } from '../../support/test-servers.ts';

/** A load balancer: polls `/readyz` and sends requests to the ready replicas in turn. */
class RoundRobin {
  readonly #replicas = new Map<string, { service: Service; ready: boolean }>();
  readonly #stopping = new AbortController();
  #next = 0;
  #watching: Promise<void>;

  constructor() {
    this.#watching = this.#watch();
  }

  add(name: string, service: Service): void {
    this.#replicas.set(name, { service, ready: true });
  }

  /** The next ready replica; null without one. */
  pick(): Service | null {
    const ready = [...this.#replicas.values()].filter((replica) => replica.ready);
    return ready[this.#next++ % Math.max(1, ready.length)]?.service ?? null;
  }

  /** Removes a replica after a refused connection, until it is ready again. */
  failed(service: Service): void {
    for (const replica of this.#replicas.values()) if (replica.service === service) replica.ready = false;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      for (const replica of this.#replicas.values()) {
        const answer = await fetch(`${replica.service.url}/readyz`).catch(() => null);
        replica.ready = answer?.status === 200;
      }
      await delay(50, undefined, { ref: false });
    }
  }
}

interface Sent {
  spanId: string;
  attempts: number;
}

describe.runIf(canShare)('replicas that stop and start', () => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await openSharedStores();
  });
  afterAll(() => stores?.close());

  const ingest = (service: Service, key: string, traceId: string, spanId: string) =>
    fetch(`${service.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ type: 'span', traceId, spanId, name: 's', startTime: new Date().toISOString() }),
    });

  async function storedSpans(traceId: string): Promise<string[]> {
    const url = new URL(stores.clickhouseUrl);
    const answer = await fetch(`${url.origin}/?database=${url.pathname.slice(1)}`, {
      method: 'POST',
      body: `SELECT span_id FROM spans FINAL WHERE trace_id = '${traceId}'`,
    });
    return (await answer.text()).split('\n').filter(Boolean);
  }

  /** Creates enough keys to stay below the rate limit. */
  async function keysOf(service: Service): Promise<string[]> {
    const { cookie, projectId } = await service.signIn();
    const made = Array.from({ length: 8 }, async () => {
      const answer = await fetch(`${service.url}/v1/projects/${projectId}/api-keys`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: '{"name":"load"}',
      });
      return ((await answer.json()) as { key: string }).key;
    });
    return Promise.all(made);
  }

  test('a rolling restart under load loses no event and refuses no request', { timeout: 180_000 }, async () => {
    const [first, second] = await Promise.all([stores.start(), stores.start()]);
    const keys = await keysOf(first);
    const balancer = new RoundRobin();
    balancer.add('first', first);
    balancer.add('second', second);
    const acknowledged: Sent[] = [];
    const refusals: number[] = [];
    let sending = true;

    const sender = async (number: number) => {
      for (let request = 0; sending; request++) {
        const spanId = randomBytes(8).toString('hex');
        for (let attempts = 1; ; attempts++) {
          const service = balancer.pick();
          if (!service) {
            await delay(20);
            continue;
          }
          const key = keys[(number + request) % keys.length] ?? '';
          const answer = await ingest(service, key, 'rolling', spanId).catch(() => null);
          await answer?.arrayBuffer().catch(() => null);
          if (answer?.status === 202) {
            acknowledged.push({ spanId, attempts });
            break;
          }
          // Expected only while that replica drains or has ended.
          if (answer) refusals.push(answer.status);
          balancer.failed(service);
        }
        await delay(40);
      }
    };
    const senders = [0, 1, 2].map(sender);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(30), { timeout: 30_000 });
    for (const [name, service] of [['first', first] as const, ['second', second] as const]) {
      const before = acknowledged.length;
      expect(await service.stop('SIGTERM')).toBe(0);
      balancer.add(name, await stores.start({ dataDirectory: service.dataDirectory }));
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 30), { timeout: 30_000 });
    }
    sending = false;
    await Promise.all(senders);
    await balancer.stop();
    expect(new Set(refusals.filter((status) => status !== 503))).toEqual(new Set());
    // Requests interrupted by a stopping replica succeeded on the other.
    expect(Math.max(...acknowledged.map(({ attempts }) => attempts))).toBeLessThanOrEqual(3);
    const sent = acknowledged.map(({ spanId }) => spanId).toSorted();
    await vi.waitFor(async () => expect((await storedSpans('rolling')).toSorted()).toEqual(sent), {
      timeout: 30_000,
      interval: 200,
    });
  });

  const redisUrl = testServers.redis;
  test.runIf(redisUrl)(
    'with REDIS_URL the rate limit uses Redis and stores nothing in PostgreSQL',
    { timeout: 120_000 },
    async () => {
      const service = await stores.start({ env: { REDIS_URL: redisUrl ?? '' } });
      const [key = ''] = await keysOf(service);
      const began = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: 400 }, async () => {
          const answer = await fetch(`${service.url}/v1/ingest`, { method: 'POST', headers: { 'x-api-key': key }, body: 'x' });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
      const refused = statuses.filter((status) => status === 429).length;
      expect(refused).toBeLessThanOrEqual(100);
      expect(refused).toBeGreaterThanOrEqual(100 - 5 * ((performance.now() - began) / 1000 + 1));
      const database = new pg.Client({ connectionString: stores.databaseUrl });
      await database.connect();
      const { rows } = await database.query(
        'SELECT name FROM rate_buckets WHERE name = (SELECT id::text FROM api_keys WHERE prefix = $1)',
        [key.slice(0, 10)],
      );
      await database.end();
      expect(rows).toEqual([]);
      expect(service.output()).not.toContain('counts in this replica alone');
      expect(await service.stop('SIGTERM')).toBe(0);
    },
  );

  test('SIGTERM writes acknowledged events to ClickHouse before the process ends', { timeout: 120_000 }, async () => {
    const service = await stores.start();
    const ids = ['a', 'b', 'c'];
    for (const spanId of ids) expect((await ingest(service, service.apiKey, 'drained', spanId)).status).toBe(202);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect((await storedSpans('drained')).toSorted()).toEqual(ids);
  });

  test('another process on the volume of a lost replica takes over its log', { timeout: 120_000 }, async () => {
    const lost = await stores.start({ env: { SPANWISE_ROLE: 'api', SPANWISE_FAILPOINT: 'before-ack:4' } });
    const ended = new Promise<void>((resolve) => lost.child.once('exit', () => resolve()));
    const acknowledged: string[] = [];
    for (const spanId of ['a', 'b', 'c', 'd']) {
      const answer = await ingest(lost, lost.apiKey, 'lost', spanId).catch(() => null);
      if (answer?.status === 202) acknowledged.push(spanId);
    }
    await ended;
    expect(acknowledged).toEqual(['a', 'b', 'c']);
    const heir = await stores.start({ dataDirectory: lost.dataDirectory, env: { SPANWISE_ROLE: 'worker' } });
    await vi.waitFor(async () => expect(await storedSpans('lost')).toEqual(expect.arrayContaining(acknowledged)), {
      timeout: 30_000,
      interval: 200,
    });
    expect(await heir.stop('SIGTERM')).toBe(0);
  });
});
