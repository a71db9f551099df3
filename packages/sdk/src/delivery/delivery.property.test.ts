import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeEvent, newSpanId } from '../index.ts';
import { ManualClock } from '../manual-clock.fixture.ts';
import { openService } from '../open-service.ts';
import { readSettings } from '../settings.ts';
import { eventChannel } from './channel.ts';
import { Delivery } from './delivery.ts';
import { ModelService } from './model-service.fixture.ts';
import type { Fault } from './model-service.fixture.ts';

// Compression runs in threads, whose time is not that of the clock.
beforeAll(() => vi.stubGlobal('CompressionStream', undefined));
afterAll(() => vi.unstubAllGlobals());

const retryAfter = fc.option(
  // The longest stands for a quota that is used up.
  fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 120 }) }, { weight: 1, arbitrary: fc.constant(90_000) }).map(String),
  { nil: undefined },
);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fault>({ kind: 'none' }) },
  fc.record({ kind: fc.constant('slow' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({ kind: fc.constant('cut' as const), isStored: fc.boolean() }),
  fc.constant<Fault>({ kind: 'torn' }),
  fc.constant<Fault>({ kind: 'twice' }),
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.constantFrom(429, 503, 500, 502, 504, 408, 302),
    retryAfter,
    isStored: fc.boolean(),
  }) as fc.Arbitrary<Fault>,
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(401, 403, 404, 422), isStored: fc.constant(false) }),
  fc.record({ kind: fc.constant('too-large' as const), most: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })) }),
  fc.record({ kind: fc.constant('killed' as const), ms: fc.integer({ min: 0, max: 60_000 }) }),
);

type Step =
  | { kind: 'events'; count: number; bad: number; size: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'flush'; ms: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      count: fc.integer({ min: 1, max: 120 }),
      bad: fc.integer({ min: 2, max: 60 }),
      size: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 20_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30 * 3_600_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const), ms: fc.integer({ min: 0, max: 20_000 }) }) },
);
const schedule = fc.record({
  faults: fc.array(fault, { maxLength: 8 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  maxQueue: fc.constantFrom(40, 150, 10_000),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('every event is stored once, or counted with the reason why not; in whatever way the network and the service fail', async () => {
  const seen = { stored: 0, queue_full: 0, too_old: 0, refused: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(schedule, async ({ faults, steps, maxQueue, random }) => {
      const clock = new ManualClock();
      const model = new ModelService(clock, faults);
      const settings = readSettings({ apiKey: 'spw_key', fetch: model.fetch as typeof fetch, maxQueue });
      const service = openService(settings, { clock, random: () => random }, () => {});
      const delivery = new Delivery(service, settings);
      const { counts } = delivery;
      const made: string[] = [];
      const check = () => {
        expect(counts.queued).toBeLessThanOrEqual(maxQueue);
        const { accepted, rejected, dropped, queued } = counts;
        const known = accepted + rejected + dropped.queue_full + dropped.too_old + dropped.refused + queued;
        expect(known).toBe(made.length);
      };
      for (const one of steps) {
        if (one.kind === 'wait') await clock.advance(one.ms);
        if (one.kind === 'flush') {
          const flushed = delivery.flush(one.ms);
          await clock.advance(one.ms);
          await flushed;
        }
        const input = one.kind === 'events' ? 'x'.repeat(one.size) : '';
        for (let count = 0; one.kind === 'events' && count < one.count; count += 1) {
          const spanId = newSpanId();
          made.push(spanId);
          if (delivery.isFull()) continue;
          const name = count % one.bad === 0 ? 'bad' : 'good';
          const startTime = '2026-11-20T10:00:00.000Z';
          delivery.push(eventChannel, encodeEvent({ type: 'span', traceId: 't', spanId, name, startTime, input }).line);
        }
        check();
      }
      // Whatever is still to fail does so, and then nothing does.
      while (counts.queued > 0) await clock.advance(Math.max(0, Math.min(clock.untilNext(), 3_600_000)));
      check();
      expect(model.mistakes).toEqual([]);
      expect(clock.untilNext()).toBe(Infinity);
      const { dropped, accepted, rejected } = counts;
      const gone = dropped.too_old + dropped.refused;
      expect(accepted).toBe(made.length - rejected - dropped.queue_full - gone);
      // One that was dropped may have been stored by a request whose answer was lost; none is lost that is not counted.
      expect(model.stored.size).toBeGreaterThanOrEqual(accepted);
      expect(model.stored.size).toBeLessThanOrEqual(accepted + gone);
      expect(dropped.refused).toBeLessThanOrEqual(model.refused.size);
      seen.stored += accepted;
      seen.rejected += rejected;
      for (const [reason, count] of Object.entries(dropped)) seen[reason as keyof typeof dropped] += count;
    }),
    { numRuns: Number(process.env['RUNS'] ?? 1_000) },
  );
  // The schedules lead to everything that may happen.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
