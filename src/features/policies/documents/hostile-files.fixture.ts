/** Bytes of the longest file. */
const bytes = 256 * 1024;
const fill = (text: string): string => text.repeat(Math.floor(bytes / text.length));
const bomb = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, level) =>
      `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(', ')}]\n`,
  ).join('');

/** Files with the place and a part of the message of one of their faults. */
export const hostileFiles: ReadonlyArray<[what: string, content: string, line: number, column: number, message: string]> = [
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
