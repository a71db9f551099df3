import { join } from 'node:path';
import { defineConfig } from 'tsdown';
import { licensesOf } from './scripts/licenses-of.ts';
import { sdkChecks } from './scripts/sdk-checks.ts';

const packages = join(import.meta.dirname, 'packages');

/** `npm pack --json` prints nothing else, on a slow machine neither. */
const quiet = { logLevel: 'warn' as const, checks: { bundlerTimings: false } };

/** What both packages share: an ESM and a CommonJS file for each entry, each with its types. */
const common = (name: string) => ({
  name: `@spanwise/${name}`,
  cwd: join(packages, name),
  format: ['esm' as const, 'cjs' as const],
  platform: 'neutral' as const,
  target: 'es2022',
  // From the types written in the source, file by file: no compiler's interface is needed.
  dts: { generator: 'oxc' as const },
  ...quiet,
});

const engine = { ...common('guardrails'), entry: ['src/index.ts'] };

const sdk = {
  ...common('sdk'),
  entry: { index: 'src/index.ts', ai: 'src/ai/index.ts', otel: 'src/otel/index.ts', vitest: 'src/vitest/index.ts' },
  // The engine is in a chunk that is loaded on first use, with its libraries. Peers stay outside.
  deps: { alwaysBundle: ['re2js', /^libphonenumber-js/], onlyBundle: ['re2js', 'libphonenumber-js'] },
  outputOptions: (options: object, format: string) => ({
    ...options,
    chunkFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
    // Neither is of use in CommonJS, and both count against the size of the main entry.
    ...(format === 'cjs' ? { comments: { annotation: false }, generatedCode: { symbols: false } } : {}),
  }),
  minify: true,
  plugins: [sdkChecks()],
};

const cliLicenses = {
  name: 'cli-licenses',
  generateBundle(
    this: { emitFile(file: object): unknown },
    _options: unknown,
    bundle: Record<string, { moduleIds?: string[] }>,
  ): void {
    const moduleIds = Object.values(bundle).flatMap((chunk) => chunk.moduleIds ?? []);
    this.emitFile({ type: 'asset', fileName: 'cli.licenses.txt', source: licensesOf(moduleIds) });
  },
};

/** The command `spanwise` of the SDK's package: one file with every library that it needs, so that the package has no dependencies. */
const commandLine = {
  name: '@spanwise/sdk, command line',
  cwd: join(packages, 'sdk'),
  entry: { cli: join(import.meta.dirname, 'src/cli/client/main.ts') },
  format: ['esm' as const],
  platform: 'node' as const,
  target: 'node20',
  deps: { alwaysBundle: [/./] },
  outputOptions: { codeSplitting: false },
  plugins: [cliLicenses],
  banner: '#!/usr/bin/env node',
  outExtensions: () => ({ js: '.js' }),
  dts: false,
  ...quiet,
};

/** What users install of a package, in its `dist`. */
export default defineConfig([engine, sdk, commandLine]);
