import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Source text by path from the root of the repository, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

/** One import, dynamic import, re-export or worker entry of a file. */
export interface Import {
  /** As it is written: `./store.ts`, `node:fs`, `fastify`. */
  specifier: string;
  /** The file in the tree, null for a package. */
  path: string | null;
  /** `import type`, `export type`: erased at run time. */
  isType: boolean;
  /** Imported names before `as`; empty for whole modules and dynamic imports. */
  names: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** Every TypeScript file under some folders of the repository. */
export function readSourceTree(...folders: string[]): SourceTree {
  const paths = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }),
  );
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]));
}

// TypeScript 7 has no parser API. The formatter leaves only these forms of an import, each at the beginning of a line.
const forms: readonly RegExp[] = [
  /^(?:import|export)\s+(?<type>type\s+)?(?<names>[\w\s{},*$]*?)\s*from\s*['"](?<specifier>[^'"]+)['"]/gm,
  /^import\s*['"](?<specifier>[^'"]+)['"]/gm,
  /\bimport\(\s*['"](?<specifier>[^'"]+)['"]/g,
  /\bnew URL\(\s*['"](?<specifier>\.[^'"]+\.[cm]?[jt]s)['"]\s*,\s*import\.meta\.url/g,
];

/** The imports of a file, types included. */
export function importsOf(path: string, text: string): Import[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ groups }) => {
      const specifier = groups?.['specifier'] ?? '';
      return {
        specifier,
        isType: groups?.['type'] !== undefined,
        path: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null,
        names: [...(groups?.['names'] ?? '').matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map((match) => match[1] ?? ''),
      };
    }),
  );
}
