import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, distanceOf, similarityOf } from './edit-distance.ts';

/** The textbook's matrix, over code points of the composed form. */
function reference(left: string, right: string): number {
  const [a, b] = [[...left.normalize('NFC')], [...right.normalize('NFC')]];
  let row = b.map((_, column) => column + 1);
  row.unshift(0);
  for (const [index, character] of a.entries()) {
    const next = [index + 1];
    for (const [column, other] of b.entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
const lengthOf = (text: string) => [...text.normalize('NFC')].length;
const distance = (left: string, right: string) => distanceOf(compare(left, right));
const similarity = (left: string, right: string) => similarityOf(compare(left, right));

const characters = [
  'a',
  'b',
  'e',
  '\u0301',
  '\u0308',
  'é',
  'ß',
  '漢',
  '😀',
  '\u{1F44D}',
  '\u{1F3FD}',
  '\ud83d',
  '\ude00',
  '\u200d',
  '\0',
];
const anyText = fc.array(fc.constantFrom(...characters), { maxLength: 150 }).map((list) => list.join(''));
const codeUnits = fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units));
const fewLetters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 140 }).map((list) => list.join(''));
/** Two texts that have much in common. */
const related = fc
  .tuple(anyText, fc.array(fc.tuple(fc.nat(150), fc.nat(3), anyText), { maxLength: 4 }))
  .map(([text, changes]): [string, string] => [
    text,
    changes.reduce(
      (changed, [at, removed, added]) => changed.slice(0, at) + added.slice(0, 3) + changed.slice(at + removed),
      text,
    ),
  ]);

describe('the edit distance', () => {
  it.each([
    ['surrogate pairs, lone surrogates and combining marks', fc.tuple(anyText, anyText)],
    ['any code units', fc.tuple(codeUnits, codeUnits)],
    ['few letters', fc.tuple(fewLetters, fewLetters)],
    ['related texts', related],
  ])('is that of the textbook: %s', (_what, pair) => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        expect(distance(left, right)).toBe(reference(left, right));
      }),
      { numRuns: 400 },
    );
  });

  it('equals the textbook algorithm around every multiple of 32', () => {
    for (const length of [31, 32, 33, 63, 64, 65, 95, 96, 97]) {
      const left = Array.from({ length }, (_, at) => 'abc'[(at * 7) % 3]).join('');
      for (const right of [
        left.split('').toReversed().join(''),
        `${left.slice(5)}xyz`,
        'c'.repeat(length + 1),
        left.slice(1, -1),
      ]) {
        expect(distance(left, right), `${length}`).toBe(reference(left, right));
      }
    }
  });

  it('of entirely different texts of 100 kB is exact, in a step for 32 cells of the matrix', () => {
    // Without a common character each one is replaced.
    const left = 'ab'.repeat(50_000);
    expect(distance(left, 'cde'.repeat(33_000))).toBe(100_000);
    // Every second character is deleted.
    expect(distance(left, 'a'.repeat(50_000))).toBe(50_000);
    expect(compare(left, 'cde'.repeat(33_000)).steps).toBeLessThan((100_000 * 99_000) / 31);
  });

  it('of long texts that differ in their middle takes few steps', () => {
    const [start, end] = ['abc'.repeat(100_000), 'def'.repeat(100_000)];
    const comparison = compare(`${start}kitten${end}`, `${start}sitting${end}`);
    expect(comparison.steps).toBeLessThan(20);
    expect(distanceOf(comparison)).toBe(3);
  });
});

describe('the similarity', () => {
  it('ignores the order of the marks of a letter, up to the 30th', () => {
    const [above, below] = ['\u0301', '\u0316'];
    const marked = (count: number) => `x${above.repeat(count)}${below.repeat(count)}y`;
    const turned = (count: number) => `x${below.repeat(count)}${above.repeat(count)}y`;
    expect(similarity(marked(15), turned(15))).toBe(1);
    expect(similarity(marked(15).repeat(20), turned(15).repeat(20))).toBe(1);
    expect(similarity(marked(31), turned(31))).toBeLessThan(1);
    expect(similarity(`${marked(31)}e\u0301`, `${marked(31)}é`)).toBe(1);
  });

  it('is 1 - distance / code points of the longer text', () => {
    fc.assert(
      fc.property(related, ([left, right]) => {
        const longer = Math.max(lengthOf(left), lengthOf(right));
        const expected = longer === 0 ? 1 : 1 - reference(left, right) / longer;
        expect(similarity(left, right)).toBeCloseTo(expected, 12);
        expect(similarity(right, left)).toBe(similarity(left, right));
      }),
    );
  });

  it.each([
    ['', '', 1],
    ['', 'abc', 0],
    ['kitten', 'sitting', 4 / 7],
    ['e\u0301', 'é', 1],
    ['😀', '😁', 0],
    ['\ud83d', '\ud83d\ude00', 0],
    ['a😀', 'a', 0.5],
    // Exactly the decimal, so that a threshold of as much is met.
    ['abcdefghij', 'abcdefghXX', 0.8],
    ['abcdefghij', 'aXXXXXXXXX', 0.1],
  ])('of %j and %j is %d', (left, right, expected) => {
    expect(similarity(left, right)).toBe(expected);
  });
});
