import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../tool.ts';
import { cut } from './cut.ts';
import { listsThatFit } from './lists-that-fit.ts';
import { pageThatFits } from './page-that-fits.ts';
import { textsThatFit } from './texts-that-fit.ts';
import { fits } from './tool-result.ts';

/** Texts whose JSON is up to thirteen times as long as they are. */
const hostile = fc
  .tuple(fc.constantFrom('\u0001', '\u200b', '"', '\\', '😀', 'é', 'x', '\ud800'), fc.integer({ min: 0, max: 8_000 }))
  .map(([character, times]) => character.repeat(times));
const entry = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), hostile, { maxKeys: 12 });

test('lists are divided into pages that fit, without an entry lost or repeated', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), fc.array(entry, { maxLength: 30 }), hostile, (a, b, name) => {
      const numbered = (list: object[]) => list.map((fields, n) => ({ ...fields, n }));
      const answer = { name, a: numbered(a), nested: { b: numbered(b) } };
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = listsThatFit(answer, [['a'], ['nested', 'b']], cursor) as typeof answer & { nextCursor: string | null };
        expect(fits(page)).toBe(true);
        for (const { n } of page.a) seen.push(['a', n]);
        for (const { n } of page.nested.b) seen.push(['b', n]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual([...a.map((_, n) => ['a', n]), ...b.map((_, n) => ['b', n])]);
    }),
    { numRuns: 12 },
  );
});

test('long texts are continued to their end, in pages that fit', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 8 }), (given) => {
      const texts = given.map((text, n) => ({ name: `t${n}`, text, json: false }));
      const read = new Map<string, string>();
      let page = textsThatFit({ id: 1 }, texts, undefined);
      for (const { name } of texts) read.set(name, String(page[name] ?? '').split(' … [cut')[0] ?? '');
      expect(fits(page)).toBe(true);
      while (typeof page['nextCursor'] === 'string') {
        page = textsThatFit({ id: 1 }, texts, page['nextCursor']);
        expect(fits(page)).toBe(true);
        const { name, text } = page['continued'] as { name: string; text: string };
        read.set(name, (read.get(name) ?? '') + text);
      }
      for (const { name, text } of texts) expect(read.get(name)).toBe(text);
    }),
    { numRuns: 12 },
  );
});

test('a page of a list is read again with a smaller limit until it fits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 200 }), async (list, limit) => {
      const page = (await pageThatFits('list', limit, async (wanted) => ({
        entries: list.slice(0, wanted),
        nextCursor: wanted < list.length ? String(wanted) : null,
      }))) as Answer & { list: object[]; nextCursor: string | null };
      expect(fits(page)).toBe(true);
      expect(page.list.length).toBeGreaterThan(0);
      expect(page.list.length).toBeLessThanOrEqual(limit);
      expect(page.nextCursor).toBe(page.list.length < list.length ? String(page.list.length) : null);
    }),
    { numRuns: 12 },
  );
});

test('a cut text has a mark, and no half of a character', () => {
  expect(cut('abc', 3)).toBe('abc');
  expect(cut('abcd', 3)).toBe('abc … [cut: 3 of 4 characters]');
  expect(cut('ab😀d', 3)).toBe('ab … [cut: 2 of 5 characters]');
});
