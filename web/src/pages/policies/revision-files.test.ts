import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedFiles } from './revision-files.ts';

const file = (path: string, content: string) => ({ path, content });

test('files are compared by path', () => {
  const before = [file('a.yaml', '1'), file('b.yaml', '2'), file('c.yaml', '3')];
  const after = [file('d.yaml', '4'), file('b.yaml', '2'), file('a.yaml', '5')];
  expect(changedFiles(before, after)).toEqual({
    changed: [
      { path: 'a.yaml', kind: 'changed', before: '1', after: '5' },
      { path: 'c.yaml', kind: 'removed', before: '3', after: '' },
      { path: 'd.yaml', kind: 'added', before: '', after: '4' },
    ],
    same: 1,
    rearranged: false,
  });
});

test('revisions without a common path are rearranged, unless one is empty', () => {
  expect(changedFiles([file('all.yaml', '1')], [file('guardrails/a.yaml', '1')]).rearranged).toBe(true);
  expect(changedFiles([], [file('a.yaml', '1')]).rearranged).toBe(false);
  expect(changedFiles([], []).rearranged).toBe(false);
});

test('an empty file that is new differs from none', () => {
  expect(changedFiles([], [file('a.yaml', '')]).changed).toEqual([{ path: 'a.yaml', kind: 'added', before: '', after: '' }]);
});

test('the changes turn the first files into the second', () => {
  const files = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('', '1', '2'), { noNullPrototype: true });
  fc.assert(
    fc.property(files, files, (before, after) => {
      const list = (of: Record<string, string>) => Object.entries(of).map(([path, content]) => file(path, content));
      const patched = new Map<string, string>(Object.entries(before));
      const { changed, same } = changedFiles(list(before), list(after));
      for (const { path, kind, before: old, after: now } of changed) {
        expect(patched.get(path) ?? '').toBe(old);
        if (kind === 'removed') patched.delete(path);
        else patched.set(path, now);
      }
      expect(Object.fromEntries(patched)).toEqual(after);
      expect(same).toBe(Object.keys(after).filter((path) => before[path] === after[path]).length);
    }),
    { endOnFailure: true },
  );
});
