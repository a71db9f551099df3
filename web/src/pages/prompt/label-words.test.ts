import { expect, test } from 'vitest';
import { consequences, moveInWords } from './label-words.ts';

test('a move is said in a few words', () => {
  expect(moveInWords({ label: 'production', from: 3, to: 5, newest: 5 })).toBe('production moves from 3 to 5');
  expect(moveInWords({ label: 'staging', from: null, to: 2, newest: 2 })).toBe('staging is put on version 2');
});

test('production is also what those get that name no label', () => {
  expect(consequences({ label: 'production', from: 3, to: 5, newest: 5 })).toEqual([
    'Whoever fetches this prompt by the label production gets version 5 instead of version 3 from the next fetch on.',
    'So does who names no label, who got version 3 until now.',
    'Prompts that refer to this one without a version, or with this label, read it at once.',
  ]);
  expect(consequences({ label: 'production', from: null, to: 4, newest: 4 })[1]).toContain('version 4 already');
  expect(consequences({ label: 'production', from: null, to: 3, newest: 4 })[1]).toContain('who got version 4 until now');
});

test('another label concerns those that name it, and going back is said', () => {
  const said = consequences({ label: 'staging', from: 5, to: 3, newest: 5 });
  expect(said).toContain('Prompts that refer to this one with @staging read it at once.');
  expect(said.join(' ')).not.toContain('names no label');
  expect(said.at(-1)).toBe('This goes back to an older version.');
});
