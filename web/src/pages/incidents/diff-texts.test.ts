import { expect, test } from 'vitest';
import { diffTexts } from './diff-texts.ts';

test('equal and removed lines are the base, equal and added ones the proposal', () => {
  const line = (op: 'equal' | 'add' | 'remove', text: string) => ({ op, text });
  expect(diffTexts([line('equal', 'a'), line('remove', 'b'), line('add', 'c'), line('equal', '')])).toEqual(['a\nb\n', 'a\nc\n']);
  expect(diffTexts([])).toEqual(['', '']);
});
