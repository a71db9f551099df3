import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRows, foldSame } from './diff-rows.ts';
import type { DiffRow, Line } from './diff-rows.ts';

const textOf = (line: Line | null) => line?.pieces.map(({ text }) => text).join('') ?? null;
const shown = (rows: readonly DiffRow[]) => rows.map(({ kind, left, right }) => [kind, textOf(left), textOf(right)]);

test('lines are aligned, and changed words are marked', () => {
  const { rows, added, removed } = diffRows('a\nYou are a polite helper.\nz', 'a\nYou are a brief helper.\nz\nnew');
  expect(shown(rows)).toEqual([
    ['same', 'a', 'a'],
    ['changed', 'You are a polite helper.', 'You are a brief helper.'],
    ['same', 'z', 'z'],
    ['added', null, 'new'],
  ]);
  expect(rows[1]?.left?.pieces.filter(({ changed }) => changed)).toEqual([{ text: 'polite', changed: true }]);
  expect([added, removed]).toEqual([2, 1]);
});

describe('any texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b b', 'c', '', 'a longer line', 'a longer word'), { maxLength: 25 });

  test('each side is complete, in order, with its line numbers', () =>
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [one, other] = [before.join('\n'), after.join('\n')];
        const { rows } = diffRows(one, other);
        for (const [side, given] of [
          ['left', one],
          ['right', other],
        ] as const) {
          const lines = rows.map((row) => row[side]).filter((line) => line !== null);
          expect(lines.map(textOf).join('\n')).toBe(given);
          expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
        }
        expect(rows.filter(({ kind }) => kind === 'same').every(({ left, right }) => textOf(left) === textOf(right))).toBe(true);
      }),
    ));

  test('folding keeps all rows and folds equal rows only', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (same) => {
        const rows: DiffRow[] = same.map((one) => ({ kind: one ? 'same' : 'added', left: null, right: null }));
        const blocks = foldSame(rows);
        expect(blocks.flatMap((block) => block.rows)).toEqual(rows);
        for (const block of blocks) {
          expect(block.rows.length).toBeGreaterThan(block.folded ? 1 : 0);
          if (block.folded) expect(block.rows.every(({ kind }) => kind === 'same')).toBe(true);
        }
      }),
    ));
});

test('lines are compared word by word until the budget is used up', () => {
  const lines = (side: string) => {
    const words = (line: number) =>
      Array.from({ length: 300 }, (_, word) => (word % 3 === 0 ? `${side}${line}.${word}` : `word${word}`));
    return Array.from({ length: 1_000 }, (_, line) => words(line).join(' '));
  };
  const [before, after] = [lines('one'), lines('two')];
  const { rows } = diffRows(before.join('\n'), after.join('\n'));
  expect(shown(rows)).toEqual(before.map((line, index) => ['changed', line, after[index]]));
  const marked = rows.map(({ left, right }) => [left, right].every((line) => line?.pieces.some(({ changed }) => changed)));
  const count = marked.indexOf(false);
  expect(count).toBeGreaterThan(20);
  expect(count).toBeLessThan(100);
  expect(marked.slice(count).some(Boolean)).toBe(false);
  expect(diffRows(before.join('\n'), after.join('\n')).rows).toEqual(rows);
});

test('a thousand long lines with one changed word each are all marked', () => {
  const lines = (side: string) =>
    Array.from({ length: 1_000 }, (_, line) => `${'word '.repeat(390)}${side} ${line} ${'word '.repeat(390)}`);
  const { rows } = diffRows(lines('one').join('\n'), lines('two').join('\n'));
  expect(
    rows.every(
      ({ left }) =>
        left?.pieces
          .filter(({ changed }) => changed)
          .map(({ text }) => text)
          .join() === 'one',
    ),
  ).toBe(true);
});

test('the diff of two megabytes without common lines is aborted', () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, index) => `${word} ${index * 7}`).join('\n');
  const started = performance.now();
  const { rows } = diffRows(lines('one'), lines('two'));
  expect(performance.now() - started).toBeLessThan(8_000);
  expect(rows).toHaveLength(40_000);
});
