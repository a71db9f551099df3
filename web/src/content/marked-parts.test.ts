import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedParts } from './marked-parts.ts';
import type { TextMatch } from './marked-parts.ts';

const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
const texted = texts.chain((text) =>
  fc.record({
    text: fc.constant(text),
    matches: fc.array(
      fc
        .tuple(fc.nat(Math.max(0, text.length - 1)), fc.integer({ min: 1, max: 9 }), fc.constantFrom('email', 'phone', 'iban'))
        .map(([start, length, label]): TextMatch => ({ start, end: Math.min(text.length, start + length), label }))
        .filter(({ start, end }) => start < end),
      { maxLength: 6 },
    ),
  }),
);

test('the parts are the text, and a unit is marked with exactly the labels of matches that overlap its part', () => {
  fc.assert(
    fc.property(texted, ({ text, matches }) => {
      const parts = markedParts(text, matches);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      for (let offset = 0; offset < text.length; offset += 1) {
        const part = parts.find(({ start, text: own }) => start <= offset && offset < start + own.length);
        const covered = matches.some(({ start, end }) => start <= offset && offset < end);
        expect((part?.labels.length ?? 0) > 0).toBe(covered);
      }
      for (const { start, text: own, labels } of parts) {
        const overlapping = matches.filter((match) => match.start < start + own.length && start < match.end);
        expect([...labels].toSorted()).toEqual([...new Set(overlapping.map(({ label }) => label))].toSorted());
      }
    }),
    { endOnFailure: true },
  );
});

test('matches that touch stay apart', () => {
  const parts = markedParts('aabb', [
    { start: 2, end: 4, label: 'b' },
    { start: 0, end: 2, label: 'a' },
  ]);
  expect(parts.map(({ text, labels }) => [text, labels])).toEqual([
    ['aa', ['a']],
    ['bb', ['b']],
  ]);
});

test('a long part between matches is shortened, and no surrogate pair is split', () => {
  for (const pad of ['', 'x']) {
    const text = `${pad}${'😀'.repeat(3_000)}end`;
    const [before, match] = markedParts(text, [{ start: text.length - 3, end: text.length, label: 'end' }]);
    expect(match).toMatchObject({ text: 'end', labels: ['end'] });
    const { text: first = '', omitted = 0, rest = '' } = before ?? {};
    expect(first.length + omitted + rest.length).toBe(text.length - 3);
    expect(first.length).toBeLessThan(500);
    expect(first.isWellFormed() && rest.isWellFormed()).toBe(true);
    expect(text.startsWith(first) && text.slice(0, -3).endsWith(rest)).toBe(true);
  }
});
