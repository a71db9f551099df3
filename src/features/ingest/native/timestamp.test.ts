import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nanosecondsOf } from './timestamp.ts';

const tenOClock = BigInt(Date.UTC(2026, 10, 20, 10)) * 1_000_000n;

test.each([
  ['2026-11-20T10:00:00.000Z', 0n],
  ['2026-11-20T10:00:00Z', 0n],
  ['2026-11-20T10:00Z', 0n],
  ['2026-11-20T10:00:00.5Z', 500_000_000n],
  ['2026-11-20T10:00:00.123456789Z', 123_456_789n],
  ['2026-11-20T10:00:00.000000001Z', 1n],
  ['2026-11-20T12:00:00+02:00', 0n],
  ['2026-11-20T12:00:00+0200', 0n],
  ['2026-11-20T06:30:00-03:30', 0n],
  ['2026-11-21T00:00:00+14:00', 0n],
])('%s', (timestamp, after) => {
  expect(nanosecondsOf(timestamp)).toBe(tenOClock + after);
});

test.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T23:59:00+24:00',
  '2026-01-01T23:59:00.0000000001Z',
  '2026-01-01T23:59:00',
  '2026-01-01 23:59:00Z',
  '2026-01-01',
  '20260101T235900Z',
  '1767225600000',
  '',
])('%o is not a valid timestamp', (timestamp) => {
  expect(nanosecondsOf(timestamp)).toBeNull();
});

test('29 February exists only in leap years', () => {
  for (const [year, leap] of [
    [2024, true],
    [2023, false],
    [2000, true],
    [1900, false],
  ] as const) {
    expect(nanosecondsOf(`${year}-02-29T00:00:00Z`) !== null).toBe(leap);
  }
});

test('equals Date at any time', () => {
  const moment = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, (date) => {
      expect(nanosecondsOf(date.toISOString())).toBe(BigInt(date.getTime()) * 1_000_000n);
    }),
  );
});
