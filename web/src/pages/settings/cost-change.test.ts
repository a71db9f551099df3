import { expect, test } from 'vitest';
import { costChange } from './cost-change.ts';

test.each([
  [12.5026, 12.5037, '+$0.0011'],
  [15.5026, 3, '−$12.50'],
  [0, 3, '+$3.00'],
  [0.3, 0.1 + 0.2, '$0'],
  [0, 0, '$0'],
  [1, 1.000_000_5, '+<$0.0001'],
])('from %d to %d', (before, after, shown) => expect(costChange(before, after)).toBe(shown));
