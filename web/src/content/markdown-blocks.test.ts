import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMarkdown, markdownBlocks } from './markdown-blocks.ts';

const line = fc.constantFrom(
  '',
  'text',
  '# title',
  '```',
  '~~~~',
  '```js',
  'x'.repeat(130),
  '- item',
  '  more',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
);

test('the sources of the blocks are the text, none is over the size, and a block that fits is not divided', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 40, max: 400 }), (lines, size) => {
      const text = lines.join('\n');
      const blocks = markdownBlocks(text, size);
      expect(blocks.map(({ source }) => source).join('')).toBe(text);
      for (const { source } of blocks) expect(source.length).toBeLessThanOrEqual(size);
      expect(markdownBlocks(text, text.length + 1)).toEqual(text === '' ? [] : [{ source: text, text }]);
    }),
  );
});

test('a code block and a table that fit into a block are in one block', () => {
  const code = `\`\`\`js\n${'a\n\n'.repeat(20)}\`\`\`\n`;
  const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(6)}`;
  const between = `${'words '.repeat(12)}\n\n`;
  const blocks = markdownBlocks(`${between}${code}\n${between}${table}\nafter`, 100).map(({ text }) => text);
  for (const whole of [code, table]) expect(blocks.some((text) => text.includes(whole))).toBe(true);
});

test('each part of a long code block has its fences, and each part of a long table its header', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 60, max: 200 }), (rows, size) => {
      const numbers = Array.from({ length: rows }, (_, index) => `row ${index} |`);
      const [code, table] = ['~~~~ts\n', 'x | y\n---|---\n'].map((head) =>
        markdownBlocks(`${head}${numbers.join('\n')}\n${head.startsWith('~') ? '~~~~\n' : ''}`, size).map(({ text }) => text),
      );
      for (const text of code ?? []) expect(text).toMatch(/^~~~~ts\n[^~]*~~~~\n$/);
      for (const text of table ?? []) expect(text).toMatch(/^x \| y\n---\|---\n(?:row \d+ \|\n)+$/);
      for (const blocks of [code, table]) expect(blocks?.join('').match(/row \d+ \|/g)).toEqual(numbers);
    }),
  );
});

test('a list is not divided from the indented lines of its item', () => {
  const item = '- item\n\n      code\n\n  text\n';
  for (const { text } of markdownBlocks(item.repeat(20), 100)) expect(text).toMatch(/^- item/);
});

test.each([
  ['plain words', false],
  ['some *emphasis*', true],
  ['- an item', true],
  ['1. first', true],
  ['see https://example.com', true],
  ['>'.repeat(50), false],
  ['- '.repeat(50), false],
  [`*a* ${'x'.repeat(100_000)}`, false],
])('%j', (text, expected) => {
  expect(isMarkdown(text)).toBe(expected);
});
