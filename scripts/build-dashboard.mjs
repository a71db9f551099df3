// Builds the dashboard into dist/dashboard when it is missing or older than its sources:
//   node scripts/build-dashboard.mjs [--force]
// Prints the compressed JavaScript of each page's first load; fails when one is over the limit.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist/dashboard');
const marker = join(folder, '.sources');
/** JavaScript of a page's first load, compressed with gzip. */
const maxFirstLoadBytes = 300_000;

/** A hash of all files that the bundle depends on. Of src/contract it has the values that load no package; types are erased. */
function sourcesHash() {
  const hash = createHash('sha256');
  const files = [
    'package-lock.json',
    'scripts/build-dashboard.mjs',
    ...globSync(
      ['web/**/*.{ts,tsx,css,html,svg,json}', 'packages/guardrails/{src/**/*.ts,package.json}', 'src/contract/**/*.ts'],
      {
        cwd: root,
        exclude: ['**/*.test.ts', '**/node_modules/**'],
      },
    ),
  ];
  for (const file of files.toSorted()) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file.replaceAll('\\', '/')}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function builtFrom() {
  return existsSync(marker) ? readFileSync(marker, 'utf8') : null;
}

/** Keys of Vite's manifest that are loaded together with an entry or a page. */
function loadedWith(manifest, key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key]?.imports ?? []) loadedWith(manifest, next, found);
  return found;
}

function compressAll(made) {
  for (const file of globSync('**/*.{js,css,html,svg}', { cwd: made })) {
    const bytes = readFileSync(join(made, file));
    if (bytes.length < 1024) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(made, `${file}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(made, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Prints the sizes; throws when a first load is over the limit. */
function checkSizes(made) {
  const manifest = JSON.parse(readFileSync(join(made, '.vite/manifest.json'), 'utf8'));
  const sizeOf = (keys) =>
    [...keys].reduce((sum, key) => {
      const { file } = manifest[key];
      return file.endsWith('.js') ? sum + gzipSync(readFileSync(join(made, file)), { level: 9 }).length : sum;
    }, 0);
  const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  const frame = loadedWith(manifest, 'index.html');
  const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.*-page\.tsx$/.test(key));
  const sizes = pages.map((key) => [key, sizeOf(loadedWith(manifest, key, new Set(frame)))]);
  const largest = sizes.toSorted((left, right) => right[1] - left[1])[0] ?? ['index.html', sizeOf(frame)];
  console.log(`first load of JavaScript, gzip: ${kb(sizeOf(frame))} for the frame`);
  for (const [key, size] of sizes) console.log(`  ${kb(size).padStart(7)} with ${key.replace(/^src\/pages\//, '')}`);
  const whole = sizeOf(Object.keys(manifest).filter((key) => manifest[key].file.endsWith('.js')));
  console.log(`  ${kb(whole).padStart(7)} everything, loaded only when needed`);
  if (largest[1] > maxFirstLoadBytes) {
    throw new Error(`the first load with ${largest[0]} is ${kb(largest[1])}; at most ${kb(maxFirstLoadBytes)}`);
  }
}

/** Replaces the bundle by renaming: a running service never serves half of one. Accepts that another process has installed the same bundle meanwhile. */
function replaceBundle(made, old) {
  try {
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(made, folder);
  } catch (error) {
    if (builtFrom() !== wanted) throw error;
  }
}

async function build() {
  const started = performance.now();
  // A test runner sets `test`, which would select React's development build.
  process.env.NODE_ENV = 'production';
  const { build: viteBuild } = await import('vite');
  // Beside the old bundle, which is served until this one is complete.
  const made = `${folder}.${process.pid}`;
  const old = `${folder}.old-${process.pid}`;
  try {
    mkdirSync(dirname(made), { recursive: true });
    await viteBuild({
      configFile: join(root, 'web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: made, emptyOutDir: true },
    });
    checkSizes(made);
    compressAll(made);
    rmSync(join(made, '.vite'), { recursive: true });
    writeFileSync(join(made, '.sources'), wanted);
    replaceBundle(made, old);
  } finally {
    for (const leftover of [made, old]) rmSync(leftover, { recursive: true, force: true });
  }
  console.log(`spanwise: the dashboard was built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

const wanted = sourcesHash();
const before = builtFrom();
if (before !== wanted || process.argv.includes('--force')) {
  console.log(`spanwise: building the dashboard because ${before === null ? 'it is missing' : 'its sources changed'}`);
  try {
    await build();
  } catch (error) {
    console.error(`spanwise: the dashboard could not be built: ${error.message}`);
    process.exitCode = 1;
  }
}
