import { expect, test } from 'vitest';
import { formatMoment } from '../format/time-format.ts';
import { momentWidth } from './moment-width.ts';

test('a column of moments is as wide as the longest moment of a quarter', () => {
  const november = Date.parse('2026-11-27T12:00:00.000Z');
  const longest = formatMoment('2026-11-27T10:30:00.000Z', november).length;
  expect(momentWidth(0, november)).toBeGreaterThanOrEqual(7 * longest);
  expect(momentWidth(500, november)).toBe(500);
  // In January the moments of the last year have their year.
  expect(momentWidth(0, Date.parse('2027-01-10T12:00:00.000Z'))).toBeGreaterThanOrEqual(momentWidth(0, november) + 7 * 5);
});
