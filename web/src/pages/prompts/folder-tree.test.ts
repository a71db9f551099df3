import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderTree, isWithin } from './folder-tree.ts';
import type { Folder } from './folder-tree.ts';

const pathsOf = (folders: readonly Folder[]): string[] => folders.flatMap((folder) => [folder.path, ...pathsOf(folder.folders)]);

test('folders are nested, including those without prompts', () => {
  expect(pathsOf(folderTree(['support/emails/late', 'billing', 'support', 'a/b']))).toEqual([
    'a',
    'a/b',
    'billing',
    'support',
    'support/emails',
    'support/emails/late',
  ]);
});

test('every folder occurs once, at its path', () => {
  const segment = fc.constantFrom('a', 'b', 'a b', '-', 'ä');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const found = pathsOf(folderTree(paths));
      expect(new Set(found).size).toBe(found.length);
      expect(paths.every((one) => found.includes(one))).toBe(true);
      expect(found.every((one) => paths.some((given) => isWithin(given, one)))).toBe(true);
    }),
  );
});

test('a folder with a common name prefix is not a subfolder', () => {
  expect(isWithin('support/emails', 'support')).toBe(true);
  expect(isWithin('support-old', 'support')).toBe(false);
});
