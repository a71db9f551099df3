import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceTree } from './support/source-tree.ts';

const docs = join(import.meta.dirname, '../docs');
const index = readFileSync(join(docs, 'semantics.md'), 'utf8');
/** The pages that the index names, in its order, with their headings. */
const pages = [...index.matchAll(/^\| \[[^\]]+\]\((semantics\/[\w-]+\.md)\)/gm)].map(([, path = '']) => ({
  path,
  headings: [...readFileSync(join(docs, path), 'utf8').matchAll(/^#{1,2} (.+)$/gm)].map(([, heading = '']) => heading),
}));
const headings = pages.flatMap((page) => page.headings);

/** The headings that comments of a file cite as `docs/semantics.md, "Calls" and "Prices"`. */
function citedHeadings(text: string): string[] {
  // Citations may run over lines of a comment.
  const joined = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?[ \t]*/g, ' ');
  const lists = [...joined.matchAll(/docs\/semantics\.md, ((?:"[^"]+"(?:, | and )?)+)/g)].map(([, list = '']) => list);
  return lists.flatMap((list) => [...list.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading));
}

test('every cited heading of docs/semantics.md exists once in its pages', () => {
  const tree = readSourceTree('src', 'web', 'packages', 'test', 'bench');
  const cited = [...tree].flatMap(([path, text]) =>
    path === 'test/citations.test.ts' ? [] : citedHeadings(text).map((heading) => ({ path, heading })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ heading }) => headings.filter((one) => one === heading).length !== 1)).toEqual([]);
});

test('docs/semantics.md lists every page and heading, in the order of the pages', () => {
  expect(pages.map(({ path }) => path).toSorted()).toEqual(globSync('semantics/*.md', { cwd: docs }).toSorted());
  const listed = [...index.matchAll(/\]\((semantics\/[^)]+)\)/g)].map(([, target]) => target);
  const wanted = pages.flatMap(({ path, headings: [, ...others] }) => [
    path,
    ...others.map((heading) => `${path}#${heading.toLowerCase().replaceAll(' ', '-')}`),
  ]);
  expect(listed).toEqual(wanted);
});

test('citations are found, over several lines too', () => {
  expect(citedHeadings('/** docs/semantics.md, "Calls" and "Prices". */')).toEqual(['Calls', 'Prices']);
  expect(citedHeadings('/**\n * A rule: docs/semantics.md, "Repeated\n * calls".\n */')).toEqual(['Repeated calls']);
  expect(citedHeadings('// A rule (docs/semantics.md,\n// "Calls").')).toEqual(['Calls']);
});
