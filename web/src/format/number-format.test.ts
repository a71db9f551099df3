import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  counted,
  countedExactly,
  formatBytes,
  formatCount,
  formatDuration,
  formatScore,
  formatShare,
  formatUsd,
  formatUsdPrecise,
} from './number-format.ts';

describe('number formats', () => {
  test.each([
    [0, '0'],
    [7, '7'],
    [987, '987'],
    [999, '999'],
    [1000, '1K'],
    [1234, '1.23K'],
    [10_100, '10.1K'],
    [12_345, '12.3K'],
    [999_999, '1M'],
    [123_456, '123K'],
    [11_000, '11K'],
    [16_512_345, '16.5M'],
    [3_400_000, '3.4M'],
    [2_000_000_000, '2B'],
  ])('count %d', (value, shown) => expect(formatCount(value)).toBe(shown));

  test.each([
    [0, '$0'],
    [0.0042, '$0.0042'],
    [0.0001, '$0.0001'],
    [0.000_031_4, '<$0.0001'],
    [0.000_000_000_3, '<$0.0001'],
    [-0.000_000_000_3, '>−$0.0001'],
    [0.042, '$0.042'],
    [0.05, '$0.05'],
    [0.0997, '$0.10'],
    [0.421, '$0.42'],
    [9.99, '$9.99'],
    [9.996, '$10'],
    [12.344, '$12.34'],
    [21.2, '$21.20'],
    [99.996, '$100'],
    [1234.5, '$1.23K'],
    [1_234_567, '$1.23M'],
    [-0.5, '−$0.50'],
  ])('cost %d', (value, shown) => expect(formatUsd(value)).toBe(shown));

  test.each([
    [0, '$0'],
    [0.000_031_4, '$0.000031'],
    [0.000_000_42, '$0.00000042'],
    [12.344, '$12.34'],
    [40, '$40'],
  ])('cost %d on an axis', (value, shown) => expect(formatUsdPrecise(value)).toBe(shown));

  test.each([
    [0, '0ms'],
    [0.42, '0.4ms'],
    [8.41, '8.4ms'],
    [840, '840ms'],
    [999.7, '1s'],
    [2400, '2.4s'],
    [59_990, '1m'],
    [192_000, '3m 12s'],
    [3_600_000, '1h'],
    [7_500_000, '2h 5m'],
    [168_840_000, '46h 54m'],
    [172_800_000, '2d'],
    [223_200_000, '2d 14h'],
  ])('duration %d ms', (value, shown) => expect(formatDuration(value)).toBe(shown));

  test.each([
    [0, '0%'],
    [0.0003, '0.03%'],
    [0.000_1, '0.01%'],
    [0.000_000_000_000_3, '<0.01%'],
    [-0.000_000_3, '>−0.01%'],
    [0.012, '1.2%'],
    [0.5, '50%'],
    [0.9996, '>99.9%'],
    [1, '100%'],
  ])('share %d', (value, shown) => expect(formatShare(value)).toBe(shown));

  test('counts and costs have at most three significant digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0001, max: 1e12, noNaN: true }), (value) => {
        for (const shown of [formatUsd(value), formatCount(value), formatScore(value)]) {
          const digits = shown.replaceAll(/[^0-9]/g, '').replace(/^0+/, '');
          // Dollars have no single decimal.
          const most = /^\$\d\d\.\d\d$/.test(shown) ? 4 : 3;
          expect(digits.length, `${value}: ${shown}`).toBeLessThanOrEqual(most);
          expect(shown).not.toMatch(/^\$\d+\.\d$/);
        }
      }),
    );
  });

  test('counts with their noun', () => {
    expect([0, 1, 1234].map((count) => counted(count, 'run'))).toEqual(['0 runs', '1 run', '1.23K runs']);
    expect([0, 1, 1234].map((count) => countedExactly(count, 'run'))).toEqual(['0 runs', '1 run', '1,234 runs']);
  });

  test('scores and bytes', () => {
    expect(formatScore(0.8567)).toBe('0.86');
    expect(formatScore(4)).toBe('4');
    expect([42.567, 1234.5, -3].map(formatScore)).toEqual(['42.6', '1.23K', '-3']);
    expect(formatBytes(412)).toBe('412 B');
    expect(formatBytes(3200)).toBe('3.2 kB');
    expect(formatBytes(999_999)).toBe('1 MB');
  });
});
