import { expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock/clock.ts';
import { Rejections } from './rejections.ts';
import { minuteMs } from '../../contract/durations.ts';

const reason = { code: 'invalid_request', error: 'Send a name.' };

test('counts by project, for the last 60 minutes', () => {
  const clock = new ManualClock(1_000 * minuteMs);
  const rejections = new Rejections(clock);
  rejections.add('a', 3, reason);
  rejections.add('b', 5, reason);
  rejections.add('b', 0, reason);
  clock.advance(30 * minuteMs);
  rejections.add('a', 4, reason);
  expect([rejections.lastHour('a'), rejections.lastHour('b'), rejections.lastHour('c')]).toEqual([7, 5, 0]);
  clock.advance(30 * minuteMs - 1);
  expect(rejections.lastHour('a')).toBe(7);
  clock.advance(1);
  expect(rejections.lastHour('a')).toBe(4);
  clock.advance(30 * minuteMs);
  expect(rejections.lastHour('a')).toBe(0);
});

test('forgets the project that has been quiet for longest', () => {
  const rejections = new Rejections(new ManualClock(0), 2);
  rejections.add('a', 1, reason);
  rejections.add('b', 1, reason);
  rejections.add('a', 1, reason);
  rejections.add('c', 1, reason);
  expect([rejections.lastHour('a'), rejections.lastHour('b'), rejections.lastHour('c')]).toEqual([2, 0, 1]);
});

test('keeps the latest reasons of the last hour, each once, newest first', () => {
  const clock = new ManualClock(1_000 * minuteMs);
  const rejections = new Rejections(clock);
  const large = { code: 'payload_too_large', error: 'x'.repeat(1_000) };
  rejections.add('a', 2, reason);
  clock.advance(minuteMs);
  rejections.add('a', 1, large);
  clock.advance(minuteMs);
  rejections.add('a', 3, reason);
  expect(rejections.latest('a')).toEqual([
    { atMs: 1_002 * minuteMs, ...reason, count: 5 },
    { atMs: 1_001 * minuteMs, code: 'payload_too_large', error: 'x'.repeat(300), count: 1 },
  ]);
  expect(rejections.latest('b')).toEqual([]);
  clock.advance(59 * minuteMs);
  expect(rejections.latest('a')).toHaveLength(1);
  for (let index = 0; index < 30; index += 1) rejections.add('a', 1, { code: 'invalid_request', error: `reason ${index}` });
  expect(rejections.latest('a').map(({ error }) => error)).toEqual(
    Array.from({ length: 10 }, (_, index) => `reason ${29 - index}`),
  );
});
