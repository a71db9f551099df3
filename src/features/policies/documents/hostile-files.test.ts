import { expect, test } from 'vitest';
import { hostileFiles } from './hostile-files.fixture.ts';
import { readPolicyFiles } from './read-files.ts';

const guardrail = 'apiVersion: spanwise/v1\nkind: Guardrail\nmetadata: {name: a}\n';

test.each(hostileFiles)('%s is a fault with its place', (_what, content, line, column, message) => {
  const { faults } = readPolicyFiles([{ path: 'a.yaml', content }]);
  expect(faults).toContainEqual({ path: 'a.yaml', line, column, message: expect.stringContaining(message) });
});

test('errors of the syntax stand alone, and nothing follows from what their file would have had', () => {
  const environment = 'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: production}\n';
  const { faults, references } = readPolicyFiles([
    { path: 'a.yaml', content: `${environment}spec:\n\tdescription: x\n` },
    { path: 'b.yaml', content: `${guardrail}spec: {type: pii, environments: [production]}\n` },
  ]);
  expect(faults).toEqual([{ path: 'a.yaml', line: 5, column: 1, message: expect.stringContaining('Tabs are not allowed') }]);
  expect(references).toEqual([]);
});

test('what is no fault is read', () => {
  const content = [
    '# a comment\n---\n',
    'apiVersion: spanwise/v1\nkind: Environment\nmetadata: &m {name: a}\nspec: {description: "\\uFFFD \\0 \\ud800"}\n',
    '---\n---\n',
    'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: b}\n...\n',
  ].join('');
  const { policies, faults } = readPolicyFiles([{ path: 'a.yaml', content: content.replace(String.raw` \0 \ud800`, '') }]);
  expect(faults).toEqual([]);
  expect(policies.map(({ name, spec }) => [name, spec])).toEqual([
    ['a', { description: '\ufffd' }],
    ['b', { description: '' }],
  ]);
});

test('each escape of YAML 1.2 is read', () => {
  // Section 5.7 of the specification.
  const written = String.raw`\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\x41\u0042\U00000043`;
  const content = `${guardrail}spec: {type: blocklist, config: {terms: ["${written}"]}}\n`;
  const { policies, faults } = readPolicyFiles([{ path: 'a.yaml', content }]);
  expect(faults).toEqual([]);
  const term = '\0\x07\b\t\n\v\f\r\x1b "/\\\u0085\u00a0\u2028\u2029ABC';
  expect(policies).toMatchObject([{ spec: { config: { terms: [term] } } }]);
});

test('at most 100 faults are given, the first ones', () => {
  const content = Array.from({ length: 200 }, (_, index) => `field${index}: 1`).join('\n');
  const { faults } = readPolicyFiles([
    { path: 'b.yaml', content },
    { path: 'a.yaml', content: '- 1' },
  ]);
  expect(faults).toHaveLength(100);
  expect(faults[0]).toMatchObject({ path: 'a.yaml' });
});

test.each(['.inf', '1e999', '*none', '!!binary aGk='])('%s is one fault', (value) => {
  const content = `${guardrail}spec: {type: pii, priority: ${value}}\n`;
  expect(readPolicyFiles([{ path: 'a.yaml', content }]).faults).toHaveLength(1);
});

const long = 'k'.repeat(100_000);

test.each([
  ['an alias', `a: *${long}`],
  ['an alias of itself', `a: &${long} [*${long}]`],
  ['a path in a schema', `${guardrail}spec: {type: json_schema, config: {schema: {properties: {? ${long}/ : {type: strng}}}}}\n`],
])('messages stay short: %s', (_what, content) => {
  const { faults } = readPolicyFiles([{ path: 'a.yaml', content }]);
  expect(faults.length).toBeGreaterThan(0);
  expect(Math.max(...faults.map(({ message }) => message.length))).toBeLessThan(500);
});

test.each([
  ['Guardrail', 100, 'spec: {type: pii}'],
  ['Environment', 1_000, 'spec: {}'],
])('more %ss than a project has are a fault at the first that is too many', (kind, most, spec) => {
  const file = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `apiVersion: spanwise/v1\nkind: ${kind}\nmetadata: {name: a${index}}\n${spec}\n`,
    ).join('---\n');
  expect(readPolicyFiles([{ path: 'a.yaml', content: file(most) }]).faults).toEqual([]);
  expect(readPolicyFiles([{ path: 'a.yaml', content: file(most + 1) }]).faults).toEqual([
    {
      path: 'a.yaml',
      line: most * 5 + 3,
      column: 18,
      message: `A project has at most ${most} ${kind.toLowerCase()}s. Remove some.`,
    },
  ]);
});

test.each([
  ['spec: {type: regx}', /^`spec\.type` must be one of .*; got "regx"\. Did you mean `regex`\?$/],
  ['spec: {type: pii, prioritty: 1}', /^There is no field `spec\.prioritty`\. Did you mean `priority`\?$/],
  ['spec: {type: pii, priority: high}', /^`spec\.priority` must be .*; got "high"\.$/],
])('%s is answered with what is meant', (spec, message) => {
  const { faults } = readPolicyFiles([{ path: 'a.yaml', content: `${guardrail}${spec}\n` }]);
  expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
});
