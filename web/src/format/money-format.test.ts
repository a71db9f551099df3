import { expect, test } from 'vitest';
import { formatMoney } from './money-format.ts';

test.each([
  [49.9, 'EUR', '€49.90'],
  [-49.9, 'USD', '−$49.90'],
  [1200, 'JPY', '¥1,200'],
  [123_456, 'EUR', '€123K'],
  [-1.5e9, 'USD', '−$1.5B'],
  [5, 'KES', 'KES\u00a05'],
  [2, 'XAU', 'XAU\u00a02'],
  [0, 'CLF', 'CLF\u00a00'],
])('%d %s is %s', (value, currency, text) => {
  expect(formatMoney(value, currency)).toBe(text);
});
