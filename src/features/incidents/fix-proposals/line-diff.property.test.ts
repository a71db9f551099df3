import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

const line = fc.constantFrom('a', 'b', 'c', '');
const lines = fc.array(line, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('\n'));

const joined = (diff: ReturnType<typeof lineDiff>, op: 'add' | 'remove') =>
  diff
    .filter((one) => one.op === 'equal' || one.op === op)
    .map(({ text }) => text)
    .join('\n');

test('the equal and removed lines are the text before, the equal and added ones the text after', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = lineDiff('text', before, after);
      expect(joined(diff, 'remove')).toBe(before);
      expect(joined(diff, 'add')).toBe(after);
      expect(diff.every(({ op }) => op === 'equal')).toBe(before === after);
    }),
  );
});

test('texts that differ in more than 1,000 lines are replaced as a whole', () => {
  const of = (letter: string) => Array.from({ length: 1_001 }, (_, index) => `${letter}${index}`).join('\n');
  const diff = lineDiff('text', `same\n${of('a')}`, `same\n${of('b')}`);
  expect(diff[0]).toEqual({ op: 'remove', text: 'same' });
  expect(joined(diff, 'add')).toBe(`same\n${of('b')}`);
});
