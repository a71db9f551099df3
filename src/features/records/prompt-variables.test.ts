import { expect, test } from 'vitest';
import { promptVariablesIn } from './prompt-variables.ts';

test.each([
  [{ 'spanwise.prompt.variables': { name: 'Ada', n: [1] } }, { promptVariables: { name: 'Ada', n: [1] } }],
  [{ 'spanwise.prompt.variables': '{"name":"Ada"}', other: 1 }, { promptVariables: { name: 'Ada' } }],
  [{ 'spanwise.prompt.variables': {} }, {}],
  [{ 'spanwise.prompt.variables': '[redaction failed]' }, {}],
  [{ 'spanwise.prompt.variables': ['name'] }, {}],
  [{ text: 'spanwise.prompt.variables' }, {}],
])('of %j', (attributes, expected) => {
  expect(promptVariablesIn(JSON.stringify(attributes))).toEqual(expected);
});

test('of a span without attributes', () => {
  expect(promptVariablesIn('')).toEqual({});
});
