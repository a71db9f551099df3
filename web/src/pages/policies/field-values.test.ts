import { expect, test } from 'vitest';
import { fieldPath, valueText } from './field-values.ts';

test.each([
  ['/action', 'action'],
  ['/config/entities', 'config.entities'],
  ['/config/patterns/0/label', 'config.patterns[0].label'],
  ['/config/schema/a~1b/x~0y', 'config.schema["a/b"]["x~y"]'],
  ['/config/schema/ünï', 'config.schema.ünï'],
  ['/config/', 'config[""]'],
])('%s is shown as %s', (pointer, path) => {
  expect(fieldPath(pointer)).toBe(path);
});

test('values are texts, JSON or not set', () => {
  expect([null, '', 'block', 5, false].map(valueText)).toEqual(['not set', '""', 'block', '5', 'false']);
  expect(valueText(['email', 'iban'])).toBe('["email","iban"]');
  expect(valueText(['a'.repeat(100)])).toBe(`[\n  "${'a'.repeat(100)}"\n]`);
  expect(valueText('x'.repeat(2_010))).toBe(`${'x'.repeat(2_000)}… (10 characters more)`);
});
