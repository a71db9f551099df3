import { expect, test } from 'vitest';
import { allTicks, isTicked, keysBetween, noTicks, tickCount, ticked } from './ticks.ts';

test('rows are ticked one by one, and all that match but some', () => {
  const some = ticked(ticked(noTicks, ['a', 'b'], true), ['b'], false);
  expect([isTicked(some, 'a'), isTicked(some, 'b'), tickCount(some, 100)]).toEqual([true, false, 1]);
  const all = ticked(ticked(allTicks, ['a', 'b'], false), ['b'], true);
  expect([isTicked(all, 'a'), isTicked(all, 'b'), isTicked(all, 'c')]).toEqual([false, true, true]);
  expect([tickCount(all, 100), tickCount(all, null)]).toEqual([99, null]);
});

test('a range reaches from one row to another, in either direction', () => {
  const listed = ['a', 'b', 'c', 'd'];
  expect(keysBetween(listed, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(keysBetween(listed, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(keysBetween(listed, null, 'b')).toEqual(['b']);
  expect(keysBetween(listed, 'gone', 'b')).toEqual(['b']);
});
