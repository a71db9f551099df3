import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock/clock.ts';
import { RepeatedBodies } from './repeated-bodies.ts';
import { minuteMs } from '../../contract/durations.ts';

const body = Buffer.from('a body');

let clock: ManualClock;
let bodies: RepeatedBodies;

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  bodies = new RepeatedBodies(clock);
});

test('a body counts once within ten minutes of when it first came', () => {
  expect(bodies.look('key', body).count()).toBe(true);
  clock.advance(9 * minuteMs);
  expect(bodies.look('key', body)).toMatchObject({ firstSeenMs: 1_000_000 });
  expect(bodies.look('key', body).count()).toBe(false);
  // A repetition does not make the window longer.
  clock.advance(minuteMs);
  expect(bodies.look('key', body)).toMatchObject({ firstSeenMs: 1_000_000 + 10 * minuteMs });
  expect(bodies.look('key', body).count()).toBe(true);
});

test('other bytes and other keys are other bodies', () => {
  const digests = [bodies.look('key', body), bodies.look('other', body), bodies.look('key', Buffer.from('a bodz'))];
  expect(digests.map((known) => known.count())).toEqual([true, true, true]);
  expect(new Set(digests.map(({ digest }) => digest)).size).toBe(3);
});

test('a body that was only checked has not been counted', () => {
  bodies.look('key', body);
  expect(bodies.look('key', body).count()).toBe(true);
});

test('a body that was not stored counts when it is sent again', () => {
  const first = bodies.look('key', body);
  first.count();
  first.uncount();
  clock.advance(1000);
  const second = bodies.look('key', body);
  expect(second.count()).toBe(true);
  expect(second).toMatchObject({ firstSeenMs: first.firstSeenMs, digest: first.digest });
});

test('a clock that is set back makes no body new', () => {
  bodies.look('key', body).count();
  clock.advance(-5 * minuteMs);
  expect(bodies.look('key', body).count()).toBe(false);
});

test('no more than so many are remembered: the oldest goes first', () => {
  bodies = new RepeatedBodies(clock, 3);
  for (const name of ['a', 'b', 'c', 'd']) bodies.look('key', Buffer.from(name)).count();
  expect(['a', 'b', 'c', 'd'].map((name) => bodies.look('key', Buffer.from(name)).count())).toEqual([true, true, true, true]);
  bodies = new RepeatedBodies(clock, 3);
  for (const name of ['a', 'b', 'c', 'd']) bodies.look('key', Buffer.from(name)).count();
  expect(bodies.look('key', Buffer.from('b')).count()).toBe(false);
});
