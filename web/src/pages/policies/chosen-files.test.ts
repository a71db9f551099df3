import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseFiles, filesText, readFiles } from './chosen-files.ts';
import type { FoundFile } from './chosen-files.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
const found = (path: string, size = 10, content = ''): FoundFile => ({
  path,
  size,
  read: () => Promise.resolve(bytesOf(content)),
});
const pathsOf = (paths: readonly string[]) => chooseFiles(paths.map((path) => found(path))).files.map(({ path }) => path);

describe('paths', () => {
  test('begin inside a single folder, as the command line sends them', () => {
    expect(pathsOf(['policies/guardrails/b.yaml', 'policies/a.yml', 'policies/README.md'])).toEqual([
      'a.yml',
      'guardrails/b.yaml',
    ]);
    expect(pathsOf(['one/a.yaml', 'two/a.yaml'])).toEqual(['one/a.yaml', 'two/a.yaml']);
    expect(pathsOf(['a.yaml', 'b.YAML', 'c.yaml.bak'])).toEqual(['a.yaml']);
  });

  test('below tests/ are cases, which are not sent', () => {
    const chosen = chooseFiles(['p/tests/case.yaml', 'p/a.yaml', 'p/more/tests/b.yaml'].map((path) => found(path)));
    expect(chosen.files.map(({ path }) => path)).toEqual(['a.yaml', 'more/tests/b.yaml']);
    expect(filesText(chosen)).toBe('2 files, 20 B · 1 test file skipped');
  });

  test('of any selection stay unique and are sorted', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => `${parts.join('/')}.yaml`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const chosen = pathsOf(paths);
        expect(new Set(chosen).size).toBe(paths.length);
        expect(chosen).toEqual(chosen.toSorted());
        // Each is the end of a path that was given.
        for (const one of chosen) expect(paths.some((given) => given === one || given.endsWith(`/${one}`))).toBe(true);
      }),
      { endOnFailure: true },
    );
  });
});

describe('limits', () => {
  const count = (length: number, size: number) => Array.from({ length }, (_, index) => found(`p/${index}.yaml`, size));

  test.each([
    ['200 files', count(200, 10), []],
    ['201 files', count(201, 10), ['201 files; the maximum is 200. Put several documents into a file.']],
    ['a file of 256 KiB', count(1, 262_144), []],
    ['a larger file', count(1, 262_145), ['0.yaml has 262 kB; the maximum for a file is 256 KiB. Split it.']],
    ['1 MiB in all', count(4, 262_144), []],
    ['more in all', count(5, 209_716), ['The files have 1.1 MB in total; the maximum is 1 MiB.']],
    ['no YAML', [found('a.txt')], ['No .yaml or .yml files found. Choose the folder that holds your policy files.']],
    ['a path twice', [found('a.yaml'), found('a.yaml')], ['a.yaml is there twice. Choose it from one folder only.']],
  ])('%s', (_name, files, problems) => {
    expect(chooseFiles(files).problems).toEqual(problems);
  });

  test('the selection is counted', () => {
    expect(filesText(chooseFiles([found('a.yaml', 1200), found('b.txt'), found('c.md')]))).toBe(
      '1 file, 1.2 kB · 2 other files ignored',
    );
  });
});

describe('reading', () => {
  test('keeps the text as it is, with its byte order mark', async () => {
    expect(await readFiles([found('a.yaml', 1, '\uFEFFkind: x\r\n')])).toEqual([
      { path: 'a.yaml', content: '\uFEFFkind: x\r\n' },
    ]);
  });

  test('names a file that is not UTF-8 or gone', async () => {
    const latin = { ...found('a.yaml'), read: () => Promise.resolve(new Uint8Array([0x6e, 0xe4]).buffer) };
    await expect(readFiles([latin])).rejects.toThrow('a.yaml is not UTF-8. Save it in this encoding.');
    const gone = { ...found('b.yaml'), read: () => Promise.reject(new Error('NotFoundError')) };
    await expect(readFiles([gone])).rejects.toThrow("b.yaml can't be read. Choose the files again.");
  });
});
