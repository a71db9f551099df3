import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withCompilationHints } from './pglite-module.ts';
import { embeddedBackend } from './postgres-backends.fixture.ts';

const run = promisify(execFile);

test('functions that run often are optimised, but for the largest', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  // Not there yet, so that its creation is traced too.
  const fresh = join(dataDirectory, '..', 'fresh');
  const program = join(import.meta.dirname, 'hot-statements.fixture.ts');
  const { stdout } = await run(process.execPath, ['--trace-wasm-compilation-times', program, fresh], {
    maxBuffer: 16_000_000,
  });
  await remove();
  const sizesBy = (compiler: string) =>
    [...stdout.matchAll(new RegExp(`using ${compiler}, .* bodysize (\\d+) `, 'g'))].map(([, size]) => Number(size));
  const optimised = sizesBy('TurboFan');
  expect(optimised.length).toBeGreaterThan(20);
  expect(Math.max(...optimised)).toBeLessThanOrEqual(64_000);
  expect(Math.max(...sizesBy('Liftoff'))).toBeGreaterThan(64_000);
});

/** A module with functions of so many bytes each, which do nothing. */
function moduleOf(sizes: readonly number[]): Uint8Array {
  const bodies = sizes.flatMap((size) => [size, 0, ...Array.from({ length: size - 2 }, () => 0x01), 0x0b]);
  const count = sizes.length;
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const types = [1, 4, 1, 0x60, 0, 0];
  const functions = [3, 1 + count, count, ...sizes.map(() => 0)];
  return Uint8Array.from([...magic, ...types, ...functions, 10, 1 + bodies.length, count, ...bodies]);
}

test('the hints name the functions above a size, and change nothing else', () => {
  const module = moduleOf([2, 9, 10, 3]);
  const hinted = withCompilationHints(module, 8);
  const name = [...'compilationHints'].map((character) => character.codePointAt(0) ?? 0);
  const section = [0, 1 + name.length + 1 + 4, name.length, ...name, 4, 1, 22, 22, 1];
  const at = Buffer.from(hinted).indexOf(Buffer.from(section));
  expect(at).toBeGreaterThan(0);
  expect([...hinted.subarray(0, at), ...hinted.subarray(at + section.length)]).toEqual([...module]);
  expect(hinted[at + section.length]).toBe(10);
  expect(() => withCompilationHints(module.subarray(0, 8), 8)).toThrow('has no code');
  expect(() => withCompilationHints(module.subarray(0, module.length - 40), 8)).toThrow(/cut off|no code/);
});
