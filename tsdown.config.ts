import { join } from 'node:path';
import { defineConfig } from 'tsdown';

/** What users install of a package, in its `dist`: an ESM and a CommonJS file, each with its types. */
export default defineConfig(
  ['guardrails', 'sdk'].map((name) => ({
    name: `@spanwise/${name}`,
    cwd: join(import.meta.dirname, 'packages', name),
    entry: ['src/index.ts'],
    format: ['esm' as const, 'cjs' as const],
    platform: 'neutral' as const,
    target: 'es2022',
    // From the types written in the source, file by file: no compiler's interface is needed.
    dts: { generator: 'oxc' as const },
    // `npm pack --json` prints nothing else.
    logLevel: 'warn' as const,
  })),
);
