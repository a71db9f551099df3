// Builds the dashboard into dist/dashboard when it is missing or older than its sources:
//   node scripts/build-dashboard.mjs [--force]
// Prints what the first load of each page costs, and fails when that is over its limit.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist/dashboard');
const marker = join(folder, '.sources');
/** First load of JavaScript, compressed as gzip does (brotli makes less). */
const mostFirstLoadBytes = 300_000;

/** A hash of everything that the bundle is made of. The types it takes from src/contract leave nothing in it. */
function sourcesHash() {
  const hash = createHash('sha256');
  const files = [
    'package-lock.json',
    'scripts/build-dashboard.mjs',
    ...globSync('web/**/*.{ts,tsx,css,html,svg,json}', { cwd: root, exclude: ['**/*.test.ts'] }),
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

/** Files that Vite's manifest says are loaded together with an entry or a page. */
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
  if (largest[1] > mostFirstLoadBytes) {
    throw new Error(`the first load with ${largest[0]} is ${kb(largest[1])}; at most ${kb(mostFirstLoadBytes)}`);
  }
}

/** Renames, so that a running service never sees half a bundle. Another process that built the same at the same time has won. */
function takeThePlace(made, old) {
  try {
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(made, folder);
  } catch (error) {
    if (builtFrom() !== wanted) throw error;
  }
}

async function build() {
  const started = performance.now();
  // Whatever this runs in: React's development form is larger and slower.
  process.env.NODE_ENV = 'production';
  // Under a test runner it says `test`, and React's development build would be taken.
  process.env.NODE_ENV = 'production';
  const { build: viteBuild } = await import('vite');
  // Beside the old one, which is served until this one is whole.
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
    takeThePlace(made, old);
  } finally {
    for (const leftover of [made, old]) rmSync(leftover, { recursive: true, force: true });
  }
  console.log(`spanwise: the dashboard was built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

const wanted = sourcesHash();
const before = builtFrom();
if (before !== wanted || process.argv.includes('--force')) {
  console.log(`spanwise: building the dashboard, since ${before === null ? 'it is missing' : 'its sources changed'}`);
  try {
    await build();
  } catch (error) {
    console.error(`spanwise: the dashboard could not be built: ${error.message}`);
    process.exitCode = 1;
  }
}
