import { expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock/clock.ts';
import { Rejections } from './rejections.ts';

const minuteMs = 60_000;

test('counts by project, for the last 60 minutes', () => {
  const clock = new ManualClock(1_000 * minuteMs);
  const rejections = new Rejections(clock);
  rejections.add('a', 3);
  rejections.add('b', 5);
  rejections.add('b', 0);
  clock.advance(30 * minuteMs);
  rejections.add('a', 4);
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
  rejections.add('a', 1);
  rejections.add('b', 1);
  rejections.add('a', 1);
  rejections.add('c', 1);
  expect([rejections.lastHour('a'), rejections.lastHour('b'), rejections.lastHour('c')]).toEqual([2, 0, 1]);
});
