import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceTree } from './support/source-tree.ts';

const document = readFileSync(join(import.meta.dirname, '../docs/semantics.md'), 'utf8');
const headings = [...document.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading);

/** The headings that comments of a file cite as `docs/semantics.md, "Calls" and "Prices"`. */
function citedHeadings(text: string): string[] {
  // Citations may run over lines of a comment.
  const joined = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?[ \t]*/g, ' ');
  const lists = [...joined.matchAll(/docs\/semantics\.md, ((?:"[^"]+"(?:, | and )?)+)/g)].map(([, list = '']) => list);
  return lists.flatMap((list) => [...list.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading));
}

test('every cited heading of docs/semantics.md exists once', () => {
  const tree = readSourceTree('src', 'web', 'packages', 'test', 'bench');
  const cited = [...tree].flatMap(([path, text]) =>
    path === 'test/citations.test.ts' ? [] : citedHeadings(text).map((heading) => ({ path, heading })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ heading }) => headings.filter((one) => one === heading).length !== 1)).toEqual([]);
});

test('the table of contents of docs/semantics.md lists every heading, in the order of the page', () => {
  const table = document.slice(0, document.indexOf('\n## '));
  const listed = [...table.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(listed).toEqual(headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-')));
});

test('citations are found, over several lines too', () => {
  expect(citedHeadings('/** docs/semantics.md, "Calls" and "Prices". */')).toEqual(['Calls', 'Prices']);
  expect(citedHeadings('/**\n * A rule: docs/semantics.md, "Repeated\n * calls".\n */')).toEqual(['Repeated calls']);
  expect(citedHeadings('// A rule (docs/semantics.md,\n// "Calls").')).toEqual(['Calls']);
});
