import { expect, test } from 'vitest';
import { previewOf } from './preview.ts';

test.each([
  ['"Where is\\n order 7?"', 'Where is order 7?'],
  ['"cut in the midd', 'cut in the midd'],
  ['"cut in an escape \\u00', 'cut in an escape'],
  ['[{"role":"system","content":"Be brief"},{"role":"user","content":"Hi there"}]', 'Hi there'],
  ['[{"role":"system","content":"Be brief"},{"role":"user","content":"Hi th', 'Hi th'],
  ['{"id":7}', '{"id":7}'],
  ['{"prompt":"Say hi"}', 'Say hi'],
  ['', ''],
])('%s', (json, shown) => expect(previewOf(json)).toBe(shown));

test('values nested 50,000 levels deep are shown unchanged', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  expect(previewOf(nested.slice(0, 2_000))).toBe(nested.slice(0, 2_000));
  expect(previewOf(nested)).toBe(nested);
});
