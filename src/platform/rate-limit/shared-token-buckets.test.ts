import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestBuckets } from './bucket-stores.fixture.ts';
import type { TestBuckets } from './bucket-stores.fixture.ts';
import { ManualClock } from '../clock/clock.ts';
import { RedisBuckets } from './redis-buckets.ts';
import type { BucketSize, BucketStore } from './rate-limit.ts';
import { SharedTokenBuckets } from './shared-token-buckets.ts';
import { TokenBuckets } from './token-bucket.ts';

const start = Date.UTC(2026, 10, 20);
const size: BucketSize = { capacity: 300, refillPerSecond: 5 };
const silent = { onAway: () => expect.unreachable('the store is there'), onBack: () => undefined };

/** The answers to concurrent requests, spread over the replicas in turn. */
async function burst(replicas: readonly SharedTokenBuckets[], key: string, requests: number): Promise<number[]> {
  return Promise.all(Array.from({ length: requests }, (_, index) => replicas[index % replicas.length]?.take(key) ?? -1));
}
const through = (answers: readonly number[]) => answers.filter((seconds) => seconds === 0).length;

describe.each(['PostgreSQL', 'Redis'] as const)('buckets in %s', (name) => {
  let buckets: TestBuckets | null;
  let store: BucketStore;
  let clock: ManualClock;
  beforeAll(async () => {
    buckets = await openTestBuckets(name);
    if (buckets) store = buckets.store;
    clock = new ManualClock(start);
  });
  afterAll(() => buckets?.close());
  const replica = () => new SharedTokenBuckets({ ...size, store, clock, ...silent, patienceMs: 10_000 });

  test('three replicas together admit 300, then 5 a second', async ({ skip }) => {
    skip(buckets === null, `no ${name} is named`);
    const replicas = [replica(), replica(), replica()];
    const key = randomUUID();
    const answers = await burst(replicas, key, 400);
    expect(through(answers)).toBe(300);
    expect(new Set(answers)).toEqual(new Set([0, 1]));
    clock.advance(199);
    expect(through(await burst(replicas, key, 30))).toBe(0);
    clock.advance(1);
    expect(through(await burst(replicas, key, 30))).toBe(1);
    clock.advance(10_000);
    expect(through(await burst(replicas, key, 90))).toBe(50);
    expect(through(await burst(replicas, randomUUID(), 90))).toBe(90);
  });

  test('the store admits what a bucket in memory admits', { timeout: 120_000 }, async ({ skip }) => {
    skip(buckets === null, `no ${name} is named`);
    // Multiples of 1/8 s, so that no sum is rounded.
    const step = fc.record({ eighths: fc.integer({ min: 0, max: 40 }), takes: fc.integer({ min: 1, max: 12 }) });
    const sizes = fc.record({ capacity: fc.integer({ min: 1, max: 12 }), refillPerSecond: fc.integer({ min: 1, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(step, { maxLength: 12 }), async (own, steps) => {
        const local = new TokenBuckets({ ...own, clock });
        const key = randomUUID();
        for (const { eighths, takes } of steps) {
          clock.advance(eighths * 125);
          const expected = through(Array.from({ length: takes }, () => local.take(key)));
          expect((await store.take(own, new Map([[key, takes]]), clock.now())).get(key)?.granted).toBe(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a bucket that has refilled is deleted', async ({ skip }) => {
    skip(buckets === null, `no ${name} is named`);
    const key = randomUUID();
    await store.take(size, new Map([[key, 300]]), clock.now());
    await store.forgetFull(size, clock.now() + 59_000);
    expect((await store.take(size, new Map([[key, 5]]), clock.now())).get(key)?.granted).toBe(0);
    await store.forgetFull(size, clock.now() + 60_001);
    clock.advance(60_001);
    expect((await store.take(size, new Map([[key, 301]]), clock.now())).get(key)).toEqual({ granted: 300, left: 0 });
  });

  test('a slow clock refills nothing twice', async ({ skip }) => {
    skip(buckets === null, `no ${name} is named`);
    const key = randomUUID();
    await store.take(size, new Map([[key, 300]]), clock.now());
    expect((await store.take(size, new Map([[key, 9]]), clock.now() + 1_000)).get(key)?.granted).toBe(5);
    expect((await store.take(size, new Map([[key, 9]]), clock.now())).get(key)?.granted).toBe(0);
    expect((await store.take(size, new Map([[key, 9]]), clock.now() + 1_000)).get(key)?.granted).toBe(0);
  });

  test('a bucket refills again after a clock that was ahead was set back', async ({ skip }) => {
    skip(buckets === null, `no ${name} is named`);
    const key = randomUUID();
    const taken = async (nowMs: number) => (await store.take(size, new Map([[key, 9]]), nowMs)).get(key)?.granted;
    await store.take(size, new Map([[key, 300]]), clock.now() + 86_400_000);
    expect(await taken(clock.now())).toBe(0);
    expect(await taken(clock.now() + 1_000)).toBe(5);
  });
});

/** A store with exact buckets that counts its requests. */
class CountingStore implements BucketStore {
  ping = () => Promise.resolve();

  readonly name = 'the store';
  questions = 0;
  failure: Error | null = null;
  readonly #tokens = new Map<string, { left: number; at: number }>();

  take({ capacity, refillPerSecond }: BucketSize, wanted: ReadonlyMap<string, number>, nowMs: number) {
    this.questions += 1;
    if (this.failure) return Promise.reject(this.failure);
    const taken = new Map(
      [...wanted].map(([key, tokens]) => {
        const { left, at } = this.#tokens.get(key) ?? { left: capacity, at: nowMs };
        const held = Math.min(capacity, left + (Math.max(0, nowMs - at) * refillPerSecond) / 1000);
        const granted = Math.min(tokens, Math.floor(held + 1e-9));
        this.#tokens.set(key, { left: held - granted, at: Math.max(at, nowMs) });
        return [key, { granted, left: held - granted }] as const;
      }),
    );
    return Promise.resolve(taken);
  }
  forgetFull = () => Promise.resolve();
  close = () => Promise.resolve();
}

function counted() {
  const store = new CountingStore();
  const clock = new ManualClock(start);
  const told: string[] = [];
  const replica = () =>
    new SharedTokenBuckets({ ...size, store, clock, onAway: () => told.push('away'), onBack: () => told.push('back') });
  return { store, clock, told, replica };
}

describe('requests to the store', () => {
  test('concurrent callers share one; a caller known to be refused causes none', async () => {
    const { store, clock, replica } = counted();
    const one = replica();
    expect(through(await burst([one], 'a', 350))).toBe(300);
    // The first caller is sent alone; the others wait and share the next request.
    expect(store.questions).toBe(2);
    expect(await burst([one], 'a', 1_000)).toEqual(Array.from({ length: 1_000 }, () => 1));
    expect(store.questions).toBe(2);
    clock.advance(200);
    expect(through(await burst([one], 'a', 10))).toBe(1);
  });

  test('a busy key takes tokens ahead, and forfeits the unused ones after a second', async () => {
    const { store, clock, replica } = counted();
    const one = replica();
    for (let request = 0; request < 40; request++) {
      expect(await one.take('a')).toBe(0);
      clock.advance(250);
    }
    // 4 requests a second: once the rate is known, one request to the store covers the next second.
    expect(store.questions).toBeLessThan(20);
    const asked = store.questions;
    clock.advance(5_000);
    expect(await one.take('a')).toBe(0);
    expect(store.questions).toBe(asked + 1);
  });

  test('tokens taken ahead serve callers that arrived during the request', async () => {
    const { clock, replica } = counted();
    const one = replica();
    let passed = 0;
    // After a second of the burst tokens are taken ahead, and none is lost.
    for (let round = 0; round < 90; round++) {
      passed += through(await burst([one], 'a', 5));
      clock.advance(100);
    }
    expect(passed).toBe(300 + Math.floor((89 * 100 * 5) / 1000));
  });

  test('together replicas never admit more than the capacity, the refill, and the refill of a second', async () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 700 }),
      replica: fc.nat(3),
      takes: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, replica } = counted();
        const replicas = [replica(), replica(), replica(), replica()];
        const at: number[] = [];
        for (const { waitMs, replica: place, takes } of steps) {
          clock.advance(waitMs);
          const one = replicas[place];
          for (let index = 0; index < takes; index++) if ((await one?.take('a')) === 0) at.push(clock.now());
        }
        for (const [first, from] of at.entries()) {
          for (const [last, to] of at.entries()) {
            if (last < first) continue;
            expect(last - first + 1).toBeLessThanOrEqual(300 + 5 * ((to - from) / 1000 + 1) + 1e-6);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('an unavailable store', () => {
  test('each process limits alone, reports it once, and asks again after some seconds', async () => {
    const { store, clock, told, replica } = counted();
    const [one, other] = [replica(), replica()];
    store.failure = new Error('away');
    expect(through(await burst([one], 'a', 310))).toBe(300);
    expect(through(await burst([other], 'a', 310))).toBe(300);
    expect(store.questions).toBe(2);
    expect(told).toEqual(['away', 'away']);
    clock.advance(5_000);
    await one.take('a');
    expect(told).toEqual(['away', 'away']);
    store.failure = null;
    clock.advance(5_000);
    expect(await one.take('a')).toBe(0);
    expect(told).toEqual(['away', 'away', 'back']);
    expect(store.questions).toBe(4);
  });

  test('an unreachable Redis and one that never answers delay no request', async () => {
    const silentServer = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silentServer.once('listening', resolve));
    const { port } = silentServer.address() as AddressInfo;
    const gone = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => gone.once('listening', resolve));
    const { port: nobody } = gone.address() as AddressInfo;
    gone.close();
    for (const address of [port, nobody]) {
      const errors: Error[] = [];
      const store = new RedisBuckets(`redis://:do-not-print@127.0.0.1:${address}/15`, (error) => errors.push(error));
      const told: unknown[] = [];
      const clock = new ManualClock(start);
      const one = new SharedTokenBuckets({ ...size, store, clock, onAway: (error) => told.push(error), onBack: () => undefined });
      expect(await one.take('a')).toBe(0);
      expect(told).toHaveLength(1);
      expect([...told, ...errors].map(String).join()).not.toContain('do-not-print');
      await store.close();
    }
    silentServer.close();
  });
});
