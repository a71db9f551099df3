import { expect, test } from 'vitest';
import { droppedFiles, inputFiles } from './dropped-entries.ts';

interface Entry {
  name: string;
  fullPath: string;
  isFile: boolean;
  isDirectory: boolean;
  file?: unknown;
  createReader?: unknown;
}

function fileEntry(fullPath: string): Entry {
  const name = fullPath.split('/').at(-1) ?? '';
  const file = (resolve: (file: File) => void) => resolve(new File(['kind: x\n'], name));
  return { name, fullPath, isFile: true, isDirectory: false, file };
}

/** A folder whose reader gives two entries a call, as browsers give a hundred. */
function folderEntry(fullPath: string, children: readonly Entry[]): Entry {
  const createReader = () => {
    const left = [...children];
    return { readEntries: (resolve: (entries: Entry[]) => void) => resolve(left.splice(0, 2)) };
  };
  return { name: fullPath.split('/').at(-1) ?? '', fullPath, isFile: false, isDirectory: true, createReader };
}

function drop(...entries: ReadonlyArray<Entry | File>) {
  const items = entries.map((entry) => ({
    webkitGetAsEntry: () => (entry instanceof File ? null : entry),
    getAsFile: () => (entry instanceof File ? entry : null),
  }));
  return droppedFiles({ items: items as unknown as DataTransferItemList });
}

test('folders are read to the end, hidden ones and dependencies are left out', async () => {
  const many = Array.from({ length: 5 }, (_, index) => fileEntry(`/p/g/${index}.yaml`));
  const found = await drop(
    folderEntry('/p', [
      fileEntry('/p/a.yaml'),
      fileEntry('/p/.hidden.yaml'),
      folderEntry('/p/.git', [fileEntry('/p/.git/b.yaml')]),
      folderEntry('/p/node_modules', [fileEntry('/p/node_modules/c.yaml')]),
      folderEntry('/p/g', many),
    ]),
  );
  expect(found.map(({ path }) => path).sort()).toEqual(['p/a.yaml', ...many.map(({ fullPath }) => fullPath.slice(1))]);
  expect(found[0]?.size).toBe(8);
});

test('the dropped folder itself may have any name', async () => {
  expect(await drop(folderEntry('/.policies', [fileEntry('/.policies/a.yaml')]))).toHaveLength(1);
});

test('files of another program have no entry and are taken by name', async () => {
  const found = await drop(new File(['x'], 'a.yaml'), fileEntry('/b.yaml'));
  expect(found.map(({ path }) => path)).toEqual(['a.yaml', 'b.yaml']);
});

test('a folder of a repository does not read without end', async () => {
  const deep = folderEntry(
    '/p',
    Array.from({ length: 6_000 }, (_, index) => fileEntry(`/p/${index}.txt`)),
  );
  expect(await drop(deep)).toHaveLength(5_000);
});

test('a file chooser gives names or paths in the folder', () => {
  const inFolder = (path: string) => Object.defineProperty(new File(['x'], 'x'), 'webkitRelativePath', { value: path });
  const list = [inFolder('p/a.yaml'), inFolder('p/.git/b.yaml'), new File(['x'], '.c.yaml')];
  expect(inputFiles(list as unknown as FileList).map(({ path }) => path)).toEqual(['p/a.yaml', '.c.yaml']);
  expect(inputFiles(null)).toEqual([]);
});
