import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceTree } from './support/source-tree.ts';
import { configurationTable } from './support/configuration-table.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('the configuration page lists every variable as the configuration documents it', () => {
  expect(read('docs/guides/configuration.md'), 'run: node scripts/run.mjs scripts/configuration-table.mjs').toContain(
    configurationTable(),
  );
});

test('README.md is read in a few minutes, and names compression beside the batch size', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(150);
  expect(read('README.md')).toMatch(/OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512\n.*OTEL_EXPORTER_OTLP_COMPRESSION=gzip/);
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The links of a page that lead to no file of the repository, or to no heading of it. */
function brokenLinks(path: string): string[] {
  return [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, file = '', anchor]) => {
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, target))) return [`${path} links to ${target}`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    return headings.includes(anchor) ? [] : [`${path} links to #${anchor} of ${target}`];
  });
}

test('every link of the documents leads to a page and a heading', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', 'examples/*.md', 'packages/*/README.md', 'changes/*.md'], {
    cwd: root,
  });
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap(brokenLinks)).toEqual([]);
  // What README.md had before its guides.
  const sources = [...readSourceTree('src', 'web')].map(([, text]) => text);
  const named = [...pages.map(read), ...sources].flatMap((text) => [...text.matchAll(/README(?:\.md)?, "([^"]+)"/g)]);
  const headings = [...read('README.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  expect(named.map(([, heading]) => heading).filter((heading) => !headings.includes(heading))).toEqual([]);
});

test('SECURITY.md names tests that are there', () => {
  const named = [...read('SECURITY.md').matchAll(/`((?:src|test|web|packages)\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
