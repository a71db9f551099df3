import { expect, test } from 'vitest';
import { comparedText, differenceFrom, pairsOf, shareOfChange, tokensOf } from './compared-pairs.ts';
import type { ComparedRow } from './compared-pairs.ts';

const row = (match: ComparedRow['match']): ComparedRow => ({ match, a: null, b: null, changes: [] });

test('differences are found after and before a pair', () => {
  const pairs = pairsOf({ rows: (['same', 'changed', 'same', 'b', 'same'] as const).map(row) });
  const numberOf = (from: number, step: 1 | -1) => differenceFrom(pairs, from, step)?.number ?? null;
  expect([numberOf(0, 1), numberOf(2, 1), numberOf(4, 1)]).toEqual([2, 4, null]);
  expect([numberOf(5, -1), numberOf(4, -1), numberOf(2, -1), numberOf(0, -1)]).toEqual([4, 2, null, 4]);
});

test('line breaks of texts are line breaks of the compared text', () => {
  expect(comparedText('a\nb')).toBe('a\nb');
  expect(comparedText(null)).toBe('');
  expect(comparedText([{ content: 'one\ntwo' }])).toBe('[\n  {\n    "content": "one\ntwo"\n  }\n]');
  // A backslash before an n is no line break.
  expect(comparedText({ path: String.raw`C:\new` })).toBe('{\n  "path": "C:\\\\new"\n}');
});

test('a share of change needs both figures', () => {
  expect(shareOfChange(100, 150)).toBe(0.5);
  expect([shareOfChange(0, 1), shareOfChange(null, 1), shareOfChange(1, undefined)]).toEqual([null, null, null]);
});

test('tokens are those of input and output', () => {
  expect(tokensOf({ usage: { inputTokens: 3, outputTokens: 4, reasoningTokens: 2 } })).toBe(7);
  expect(tokensOf({ usage: null })).toBe(null);
});
