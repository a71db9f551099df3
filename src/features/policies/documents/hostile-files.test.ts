import { expect, test } from 'vitest';
import { readPolicyFiles } from './read-files.ts';

const bytes = 256 * 1024;
const fill = (text: string): string => text.repeat(Math.floor(bytes / text.length));
const bomb = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, level) =>
      `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(', ')}]\n`,
  ).join('');

/** Files with the place and a part of the message of one of their faults. */
const files: ReadonlyArray<[what: string, content: string, line: number, column: number, message: string]> = [
  ['an alias bomb', bomb(20), 5, 35, 'expand to too much'],
  ['an alias of itself', 'a: &a [*a]', 1, 8, 'inside its own anchor'],
  ['an unknown alias', 'a: *b', 1, 4, 'no anchor &b'],
  ['many aliases', `a: &a 1\nb: [${'*a, '.repeat(1_001)}]`, 2, 4_005, 'more than 1000 aliases'],
  ['a key that is there twice', 'a: 1\nb: 2\na: 3', 3, 1, '"a" is there twice'],
  ['a tab as indentation', 'a:\n\tb: 1', 2, 1, 'Tabs are not allowed'],
  ['lists inside each other', fill('['), 1, 257, 'nested deeper'],
  [
    'mappings inside each other',
    Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
    257,
    257,
    'nested deeper',
  ],
  ['one line of values', `[${fill('a, ')}]`, 1, 75_000, 'too many values'],
  ['one line of text', fill('a'), 1, 1, 'mapping'],
  ['blank lines', `a:${fill('\n')}b`, 10_001, 1, 'blank and comment lines'],
  ['wrong escapes', `"${fill(String.raw`\q`)}"`, 1, 2, 'escape'],
  ['half a surrogate pair', 'a: 1\nb: "x\ud800"', 2, 6, 'U+D800'],
  ['bytes that are no UTF-8', 'a: x\ufffdy', 1, 5, 'U+FFFD'],
  ['a NUL character', 'a: \0', 1, 4, 'U+0000'],
  ['__proto__ as a key', 'a:\n  __proto__: {b: 1}', 2, 3, '__proto__'],
  ['__proto__ in a configuration', 'a: {"__proto__": 1}', 1, 5, '__proto__'],
  ['a number that is not finite', 'a: .inf', 1, 4, 'finite'],
  ['a tag', 'a: !unknown 1', 1, 4, 'tag'],
  ['a mapping as a key', '? {a: 1}\n: 1', 1, 3, 'key must be a text'],
  ['YAML 1.1', '%YAML 1.1\n---\na: yes', 2, 1, 'YAML 1.2'],
  ['directives alone', '%YAML 1.2\n', 2, 1, 'directives-end'],
];

test.each(files)('%s is a fault with its place', (_what, content, line, column, message) => {
  const { faults } = readPolicyFiles([{ path: 'a.yaml', content }]);
  expect(faults).toContainEqual({ path: 'a.yaml', line, column, message: expect.stringContaining(message) });
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

test('at most 100 faults are given, the first ones', () => {
  const content = Array.from({ length: 200 }, (_, index) => `field${index}: 1`).join('\n');
  const { faults } = readPolicyFiles([
    { path: 'b.yaml', content },
    { path: 'a.yaml', content: '- 1' },
  ]);
  expect(faults).toHaveLength(100);
  expect(faults[0]).toMatchObject({ path: 'a.yaml' });
});

const guardrail = 'apiVersion: spanwise/v1\nkind: Guardrail\nmetadata: {name: a}\n';

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
