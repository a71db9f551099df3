import { expect, test } from 'vitest';
import { firedByDay, previewSentence } from './preview-figures.ts';

const fired = (at: string) => ({ at, resolvedAt: null, scope: null, value: 1 });
const range = { from: '2026-11-01T10:00:00.000Z', to: '2026-11-04T10:00:00.000Z' };

test('the days of a preview count back from its end', () => {
  const wouldHaveFired = [range.from, '2026-11-03T09:00:00.000Z', '2026-11-03T11:00:00.000Z', range.to].map(fired);
  expect(firedByDay({ ...range, wouldHaveFired })).toEqual([1, 1, 2]);
  expect(previewSentence({ ...range, wouldHaveFired })).toBe('Would have fired 4 times in the last 3 days.');
});

test('a preview without a firing, and one of a single step', () => {
  expect(previewSentence({ ...range, wouldHaveFired: [] })).toBe('Would not have fired in the last 3 days.');
  const single = { from: range.to, to: range.to, wouldHaveFired: [fired(range.to)] };
  expect(firedByDay(single)).toEqual([1]);
  expect(previewSentence(single)).toBe('Would have fired 1 time in the last 1 day.');
});
