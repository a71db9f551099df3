import { expect, test } from 'vitest';
import { jsonBeginning } from './json-beginning.ts';

test.each([[null], ['text "quoted"'], [12.5], [[]], [{}], [{ a: [1, { b: 'c' }], d: null }]])('%j complete', (value) => {
  expect(jsonBeginning(value, 1000)).toBe(JSON.stringify(value));
});

test('only the beginning is read', () => {
  const large = { messages: Array.from({ length: 100_000 }, (_, index) => ({ role: 'user', content: `message ${index}` })) };
  const text = jsonBeginning(large, 100);
  expect(JSON.stringify(large).startsWith(text.slice(0, 100))).toBe(true);
  expect(text.length).toBeLessThan(300);
  expect(jsonBeginning('x'.repeat(1e6), 50)).toHaveLength(52);
});

test('the beginning of a value nested 50,000 levels deep', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  expect(jsonBeginning(JSON.parse(nested), 2_000).slice(0, 2_000)).toBe(nested.slice(0, 2_000));
});
