// What the build of packages/sdk checks and adds: the size of the main entry, and the licences of the libraries that are bundled.
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'tsdown';
import { licensesOf } from './licenses-of.ts';

/** Largest main entry in bytes, compressed with gzip, with everything that it loads at once. */
const maxEntryBytes = 12_000;

/** A plugin of the bundler. The build fails where the main entry is too large. */
export function sdkChecks(): Rolldown.Plugin {
  return {
    name: 'sdk-checks',
    generateBundle(_options, bundle) {
      const all = Object.values(bundle).flatMap((file) => (file.type === 'chunk' && /\.c?js$/.test(file.fileName) ? [file] : []));
      const chunks = new Map(all.map((chunk) => [chunk.fileName, chunk]));
      const entry = all.find(({ name, isEntry }) => isEntry && name === 'index');
      // The bundle of declarations.
      if (!entry) return;
      const loaded = new Set([entry]);
      for (const { imports } of loaded)
        for (const name of imports) {
          const chunk = chunks.get(name);
          if (chunk) loaded.add(chunk);
        }
      const bytes = gzipSync([...loaded].map(({ code }) => code).join('\n'), { level: 9 }).length;
      if (bytes > maxEntryBytes) {
        const names = [...loaded].map(({ fileName }) => fileName).join(', ');
        this.error(`The main entry of the SDK has ${bytes} bytes compressed (${names}); at most ${maxEntryBytes}.`);
      }
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: licensesOf(all.flatMap(({ moduleIds }) => moduleIds)),
      });
    },
  };
}
