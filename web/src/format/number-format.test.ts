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
} from './number-format.ts';

describe('numbers as people read them', () => {
  test.each([
    [0, '0'],
    [7, '7'],
    [987, '987'],
    [999, '999'],
    [1000, '1 k'],
    [1234, '1.2 k'],
    [12_345, '12.3 k'],
    [999_999, '1 M'],
    [123_456, '123 k'],
    [3_400_000, '3.4 M'],
  ])('count %d', (value, shown) => expect(formatCount(value)).toBe(shown));

  test.each([
    [0, '$0'],
    [0.0042, '$0.0042'],
    [0.000_031_4, '$0.000031'],
    [0.000_000_42, '$0.00000042'],
    [0.000_000_000_3, '< $0.0000001'],
    [-0.000_000_000_3, '> −$0.0000001'],
    [0.042, '$0.042'],
    [0.05, '$0.05'],
    [0.0997, '$0.10'],
    [0.421, '$0.42'],
    [12.344, '$12.34'],
    [1234.5, '$1,235'],
    [1_234_567, '$1.2 M'],
    [-0.5, '−$0.50'],
  ])('cost %d', (value, shown) => expect(formatUsd(value)).toBe(shown));

  test.each([
    [0, '0 ms'],
    [0.42, '0.4 ms'],
    [8.41, '8.4 ms'],
    [840, '840 ms'],
    [999.7, '1 s'],
    [2400, '2.4 s'],
    [59_990, '1 min'],
    [192_000, '3 min 12 s'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [168_840_000, '46 h 54 min'],
    [172_800_000, '2 d'],
    [273_600_000, '3 d 4 h'],
  ])('duration %d ms', (value, shown) => expect(formatDuration(value)).toBe(shown));

  test.each([
    [0, '0 %'],
    [0.0003, '0.03 %'],
    [0.000_1, '0.01 %'],
    [0.000_000_000_000_3, '< 0.01 %'],
    [-0.000_000_3, '> −0.01 %'],
    [0.012, '1.2 %'],
    [0.5, '50 %'],
    [0.9996, '> 99.9 %'],
    [1, '100 %'],
  ])('share %d', (value, shown) => expect(formatShare(value)).toBe(shown));

  test('counts with what is counted', () => {
    expect([0, 1, 1234].map((count) => counted(count, 'run'))).toEqual(['0 runs', '1 run', '1.2 k runs']);
    expect([0, 1, 1234].map((count) => countedExactly(count, 'run'))).toEqual(['0 runs', '1 run', '1,234 runs']);
  });

  test('scores and bytes', () => {
    expect(formatScore(0.8567)).toBe('0.86');
    expect(formatScore(4)).toBe('4');
    expect(formatBytes(412)).toBe('412 B');
    expect(formatBytes(3200)).toBe('3.2 kB');
  });
});
