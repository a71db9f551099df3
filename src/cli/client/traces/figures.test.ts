import { expect, test } from 'vitest';
import { dollars, duration, numberOf } from './figures.ts';

test.each([
  [null, 'running'],
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [119_400, '1 min 59 s'],
  [119_600, '2 min 0 s'],
])('%s ms are %s', (ms, shown) => {
  expect(duration(ms)).toBe(shown);
});

test.each([
  [0, '$0'],
  [0.000_012_34, '$0.000012'],
  [0.0094, '$0.0094'],
  [0.009_99, '$0.01'],
  [1.5, '$1.50'],
])('%s USD are %s', (cost, shown) => {
  expect(dollars(cost)).toBe(shown);
});

test.each([
  [0, '0 spans'],
  [1, '1 span'],
  [1_200, '1,200 spans'],
])('%s of a thing', (count, shown) => {
  expect(numberOf(count, 'span')).toBe(shown);
});
