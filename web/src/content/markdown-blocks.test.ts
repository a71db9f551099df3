import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMarkdown, markdownBlocks } from './markdown-blocks.ts';

test('the blocks are the text, none is over the size, and no code fence is cut at a blank line', () => {
  const line = fc.constantFrom('', 'text', '# title', '```', '~~~~', '```js', 'x'.repeat(130), '- item');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 40, max: 400 }), (lines, size) => {
      const text = lines.join('\n');
      const blocks = markdownBlocks(text, size);
      expect(blocks.join('')).toBe(text);
      for (const block of blocks) expect(block.length).toBeLessThanOrEqual(size);
    }),
  );
  const code = `before\n\n\`\`\`\n${'a\n\n'.repeat(20)}\`\`\`\n\nafter`;
  expect(markdownBlocks(code, 100)).toEqual([code.slice(0, -6), '\nafter']);
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
