import { expect, test } from 'vitest';
import { wholeOutput } from './whole-output.ts';

test.each<[string, Parameters<typeof wholeOutput>, number]>([
  ['no reasoning', [40, 0, 100, 140], 40],
  ['reasoning inside the output', [40, 30, 100, 140], 40],
  ['output that is reasoning alone', [40, 40, 100, 140], 40],
  ['the same without a total', [40, 40, 100], 40],
  ['more reasoning than output', [40, 41, 100], 81],
  ['a total of all three', [40, 30, 100, 170], 70],
  ['a total that is none of the sums', [40, 30, 100, 171], 40],
  ['more than a number holds exactly', [1, Number.MAX_SAFE_INTEGER, 0], Number.MAX_SAFE_INTEGER],
])('the output of a call with %s', (_, given, expected) => {
  expect(wholeOutput(...given)).toBe(expected);
});
