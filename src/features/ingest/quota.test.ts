import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { Quota } from './quota.ts';

const limit = 50_000;
const nowMs = Date.UTC(2026, 10, 20, 10);

/** A fake pipeline and database: accepted events are pending until they are written. */
class Counts {
  waiting = 0;
  counted = 0;
  reads = 0;
  months: string[] = [];
  down = false;

  uncountedEvents = () => this.waiting;

  eventsOfMonth = (_organizationId: string, month: string) => {
    this.reads += 1;
    this.months.push(month);
    return this.down ? Promise.reject(new Error('down')) : Promise.resolve(this.counted);
  };

  write(): void {
    this.counted += this.waiting;
    this.waiting = 0;
  }
}

let counts: Counts;
let clock: ManualClock;
let quota: Quota;

beforeEach(() => {
  counts = new Counts();
  clock = new ManualClock(nowMs);
  quota = new Quota(counts, counts, clock);
});

/** Takes events and lets the pipeline accept them, as a request does. */
async function send(events: number): Promise<'taken' | string> {
  try {
    await quota.take('acme', 'free', events);
    counts.waiting += events;
    return 'taken';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const used = async () => (await quota.state('acme', 'free')).used;

test('while the database does not answer, events are taken by what was known', async () => {
  quota = new Quota(counts, counts, clock, 1);
  expect(await send(3)).toBe('taken');
  clock.advance(2_000);
  counts.eventsOfMonth = () => new Promise(() => undefined);
  expect([await send(4), await send(5)]).toEqual(['taken', 'taken']);
});

test('the use is the sum of counted, pending and taken events', async () => {
  counts.counted = 100;
  counts.waiting = 20;
  expect(await quota.state('acme', 'free')).toEqual({ used: 120, limit, resetsAtMs: Date.UTC(2026, 11, 1) });
  await send(3);
  expect(await used()).toBe(123);
  counts.write();
  expect(await used()).toBe(123);
  clock.advance(10_000);
  expect(await used()).toBe(123);
});

test('a request that starts below the limit is accepted whole, the next one is rejected', async () => {
  counts.counted = limit - 1;
  expect(await send(100)).toBe('taken');
  expect(await send(1)).toBe('quota_exceeded');
  expect(await used()).toBe(limit + 99);
});

test('it is exact while events move into the database', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.nat({ max: 5000 }), fc.constant('write' as const), fc.constant('wait' as const)), { maxLength: 60 }),
      async (steps) => {
        counts = new Counts();
        quota = new Quota(counts, counts, clock);
        let sent = 0;
        for (const step of steps) {
          if (step === 'write') counts.write();
          else if (step === 'wait') clock.advance(1500);
          else {
            expect(await send(step)).toBe(sent < limit ? 'taken' : 'quota_exceeded');
            if (sent < limit) sent += step;
          }
          expect(await used()).toBe(sent);
        }
      },
    ),
  );
});

test('concurrent requests cannot exceed the limit together', async () => {
  counts.counted = limit - 250;
  const results = await Promise.all(Array.from({ length: 10 }, () => send(100)));
  expect(results.filter((result) => result === 'taken')).toHaveLength(3);
  expect(counts.waiting).toBe(300);
});

test('refunded quota can be taken again', async () => {
  counts.counted = limit - 1;
  const refund = await quota.take('acme', 'free', 1);
  refund();
  expect(await send(1)).toBe('taken');
});

test('the database is read every two seconds far from the limit, and at every request near it', async () => {
  await send(1);
  await send(1);
  expect(counts.reads).toBe(1);
  clock.advance(1_999);
  await send(1);
  expect(counts.reads).toBe(1);
  clock.advance(1);
  await send(1);
  expect(counts.reads).toBe(2);
  counts.counted = limit * 0.9;
  clock.advance(2_000);
  await send(1);
  await send(1);
  await send(1);
  expect(counts.reads).toBe(5);
});

test('concurrent requests share a query', async () => {
  await Promise.all(Array.from({ length: 20 }, () => send(1)));
  expect(counts.reads).toBe(1);
  expect(await used()).toBe(20);
});

test('events of another replica count once they are in the database', async () => {
  await send(1);
  counts.counted = limit;
  expect(await send(1)).toBe('taken');
  clock.advance(2_000);
  expect(await send(1)).toBe('quota_exceeded');
});

test('the limit is that of the plan', async () => {
  counts.counted = limit;
  await expect(quota.take('acme', 'free', 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
  await expect(quota.take('acme', 'pro', 1)).resolves.toBeTypeOf('function');
  expect(await quota.state('acme', 'scale')).toMatchObject({ limit: 100_000_000 });
});

describe('the month', () => {
  test.each([
    [Date.UTC(2026, 10, 20, 10), Date.UTC(2026, 11, 1)],
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0, 1)],
    [Date.UTC(2026, 0, 31), Date.UTC(2026, 1, 1)],
    [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)],
  ])('that %i is in ends at %i', async (now, resetsAtMs) => {
    clock.set(now);
    expect(await quota.state('acme', 'free')).toMatchObject({ resetsAtMs });
    counts.counted = limit;
    quota = new Quota(counts, counts, clock);
    await expect(quota.take('acme', 'free', 1)).rejects.toMatchObject({ retryAfterSeconds: (resetsAtMs - now) / 1000 });
  });

  test('is UTC, and a new one starts at zero', async () => {
    clock.set(Date.UTC(2026, 10, 30, 23, 59, 59, 999));
    counts.counted = limit;
    expect(await send(1)).toBe('quota_exceeded');
    counts.counted = 0;
    clock.advance(1);
    expect(await send(1)).toBe('taken');
    expect(counts.months).toEqual(['2026-11-01', '2026-12-01']);
  });
});

describe('while the database is down', () => {
  test('the last known count is used', async () => {
    counts.counted = limit - 10;
    await send(1);
    counts.down = true;
    clock.advance(60_000);
    expect(await send(9)).toBe('taken');
    expect(await send(1)).toBe('quota_exceeded');
  });

  test('an organization without a known count gets 503', async () => {
    counts.down = true;
    expect(await send(1)).toBe('unavailable');
    counts.down = false;
    expect(await send(1)).toBe('taken');
  });
});
