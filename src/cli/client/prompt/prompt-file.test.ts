import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileNameOf, fileNamesOf, promptNameOf } from './file-name.ts';
import { planPush } from './plan-push.ts';
import { isSameContent, promptFileText, readPromptFile, withVersion } from './prompt-file.ts';
import type { PromptFile } from './prompt-file.ts';

const unit = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '---',
    '---\n',
    ' ',
    '\t',
    '\u2028',
    '\u0085',
    '{{> x }}',
    '#',
    ': ',
    '- ',
    '"',
    "'",
    '\\',
    '\uFEFF',
  ),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
);
const text = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
const label = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((one) => one.isWellFormed() && !/\p{Cc}/u.test(one) && one.trim() === one && one !== '' && one !== 'latest');
const labels = fc.uniqueArray(label, { maxLength: 4 });
const content = fc.oneof(
  fc.record({ type: fc.constant('text' as const), prompt: text }),
  fc.record({
    type: fc.constant('chat' as const),
    prompt: fc.array(fc.oneof(fc.record({ role: fc.constantFrom('system', 'user'), content: text }), fc.jsonValue()), {
      maxLength: 4,
    }),
  }),
);
const file = fc
  .tuple(
    content,
    fc.record({
      name: label,
      version: fc.integer({ min: 1, max: 9_999 }),
      labels,
      tags: labels,
      config: fc.dictionary(label, fc.jsonValue()),
      folder: fc.option(fc.constantFrom('a', 'a/b c', 'ü')),
    }),
  )
  // As the service's answers are read.
  .map(([one, others]) => JSON.parse(JSON.stringify({ ...one, ...others })) as Omit<PromptFile, 'isUnchanged'>);

describe('a file', () => {
  test('is read as it was written, and is written again as it was', () => {
    fc.assert(
      fc.property(file, (prompt) => {
        const written = promptFileText(prompt);
        const read = readPromptFile('a.md', written);
        expect(read).toEqual({ ...prompt, isUnchanged: true });
        expect(read && promptFileText(read)).toBe(written);
        expect(read && isSameContent(read, prompt)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('gets another version and stays as it was otherwise', () => {
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 9_999 }), (prompt, version) => {
        const changed = withVersion('a.md', promptFileText(prompt), version);
        expect(changed).toBe(promptFileText({ ...prompt, version }));
      }),
      { numRuns: 60 },
    );
  });

  test('of a person gets a version, and keeps comments and order', () => {
    const written = '---\n# ours\ntags: [a]   # b\ntype: chat\n---\n# who speaks\n- {role: user, content: Hi}\n';
    const changed = withVersion('a.md', written, 3);
    expect(changed).toMatch(
      /^---\n# ours\ntags: \[a\] {3}# b\ntype: chat\nversion: 3\nchecksum: sha256-[0-9a-f]{16}\n---\n# who speaks\n- \{role: user, content: Hi\}\n$/,
    );
    expect(readPromptFile('a.md', withVersion('a.md', '---\n{type: text}\n---\nHi', 3))).toMatchObject({
      version: 3,
      prompt: 'Hi',
      isUnchanged: true,
    });
  });

  test('is readable', () => {
    const messages = [
      { role: 'system', content: 'Be brief.\nBe kind.\n' },
      { role: 'user', content: '{{question}}' },
    ];
    const prompt = {
      name: 'support/answer',
      type: 'chat' as const,
      prompt: messages,
      version: 2,
      labels: ['production'],
      tags: [],
      folder: null,
      config: { temperature: 0.2 },
    };
    expect(promptFileText(prompt)).toMatch(
      new RegExp(
        `^---\nname: support/answer\ntype: chat\nversion: 2\nlabels: \\[ production \\]\ntags: \\[\\]\nfolder: null\nconfig:\n  temperature: 0.2\nchecksum: sha256-[0-9a-f]{16}\n---\n- role: system\n  content: \\|\n    Be brief.\n    Be kind.\n- role: user\n  content: "\\{\\{question\\}\\}"\n$`,
      ),
    );
  });

  test('that was changed says so; other line breaks are no change', () => {
    const written = promptFileText({
      name: 'a',
      type: 'text',
      prompt: 'one\ntwo',
      version: 1,
      labels: [],
      tags: [],
      folder: null,
      config: {},
    });
    expect(readPromptFile('a.md', written.replaceAll('\n', '\r\n'))).toMatchObject({ isUnchanged: true, prompt: 'one\ntwo' });
    for (const changed of [
      written.replace('two', 'three'),
      written.replace('labels: []', 'labels: [x]'),
      `${written}\n`,
      written.replace('---\n', '---\n# hm\n'),
    ])
      expect(readPromptFile('a.md', changed)?.isUnchanged, changed).toBe(false);
  });

  test.each([
    ['no front matter', 'Hello', null],
    ['front matter that does not end', '---\nname: a\n', null],
    [
      'a byte order mark, and nothing else',
      '\uFEFF---\n---\nHi\n',
      { name: null, type: 'text', prompt: 'Hi', labels: [], config: {} },
    ],
  ])('%s', (_what, given, expected) => {
    if (expected === null) expect(readPromptFile('a.md', given)).toBeNull();
    else expect(readPromptFile('a.md', given)).toMatchObject(expected);
  });

  test.each([
    ['an unknown field', '---\nlabel: [x]\n---\n', /a\.md: .*Unrecognized key/],
    ['labels that are no list', '---\nlabels: x\n---\n', /a\.md: correct labels/],
    ['the label latest', '---\nlabels: [latest]\n---\n', /latest always sits/],
    ['a chat prompt without messages', '---\ntype: chat\n---\nHello', /YAML list/],
    ['YAML that does not end', '---\ntype: [\n---\n', /correct the YAML/],
    ['a field twice', '---\ntype: text\ntype: text\n---\n', /correct the YAML/],
    [
      'aliases that grow',
      `---\na: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n---\n`,
      /correct the YAML \(Excessive alias/,
    ],
    ['deep nesting', `---\ntype: chat\n---\n${'['.repeat(20_000)}`, /correct the YAML/],
  ])('%s is refused', (_what, given, told) => {
    expect(() => readPromptFile('a.md', given)).toThrow(told);
  });
});

describe('the name of a file', () => {
  test('leads back to the name of the prompt, has no folder and is short enough', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 200 })
      .filter((one) => one.isWellFormed() && !/\p{Cc}/u.test(one));
    fc.assert(
      fc.property(name, fc.boolean(), (one, capitals) => {
        const encoded = fileNameOf(one, capitals);
        expect(encoded).toMatch(/^[^./\\:*?"<>|][^/\\:*?"<>|]*\.md$/);
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(220);
        if (!encoded.includes('~')) expect(promptNameOf(encoded)).toBe(one);
      }),
    );
  });

  test.each([
    ['answer', 'answer.md'],
    ['support/answer', 'support%2Fanswer.md'],
    ['..', '%2E..md'],
    ['Grüße v1.2', 'Grüße v1.2.md'],
    ['e\u0301', 'e%CC%81.md'],
    ['CON', '%43ON.md'],
    ['50%~', '50%25%7E.md'],
  ])('%s', (name, expected) => {
    expect(fileNameOf(name)).toBe(expected);
    expect(promptNameOf(expected)).toBe(name);
  });

  test('is another one for names that differ in case alone, and for one that is taken', () => {
    const names = fileNamesOf(['Answer', 'answer', 'ANSWER', 'README'], ['readme.md']);
    expect(Object.fromEntries(names)).toEqual({
      Answer: 'Answer.md',
      answer: expect.stringMatching(/^answer~[0-9a-f]{16}\.md$/),
      ANSWER: '%41%4E%53%57%45%52.md',
      README: '%52%45%41%44%4D%45.md',
    });
  });
});

test('a prompt is pushed after those that it refers to', () => {
  const local = (name: string, prompt: PromptFile['prompt']) => ({
    name,
    prompt,
    type: 'text' as const,
    config: {},
    version: null,
    labels: [],
    isUnchanged: false,
    file: '',
    text: '',
  });
  const plan = planPush(
    [
      local('a', '{{> b@production }} {{> c#2}}'),
      local('b', [{ role: 'user', content: '{{> d }}' }]),
      local('c', '{{> e'),
      local('d', '{{> a }}'),
      local('e', ''),
    ],
    [],
    false,
  );
  const order = plan.map((one) => one.local.name);
  expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(order.indexOf('a')).toBeGreaterThan(order.indexOf('c'));
  expect(order.indexOf('b')).toBeGreaterThan(order.indexOf('d'));
});
