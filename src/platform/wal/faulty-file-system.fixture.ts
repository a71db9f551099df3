import fs from 'node:fs';
import type { LogFileSystem } from './wal-worker.ts';

/**
 * Replaces node:fs in the log's thread. The module's URL selects the faults:
 * `fault=short` (writes 7 bytes at a time), `fault=slow` (every sync takes 20 ms longer), `fault=nothing` (writes 0 bytes), or
 * `fault=<operation>:<code>:<nth call>` (that call and all later ones fail; a failed write has written half of its bytes), with `:once`
 * for that call alone.
 */
const fault = new URL(import.meta.url).searchParams.get('fault') ?? '';
const [failing, code, nth, once] = fault.split(':');
const calls = new Map<string, number>();

function fails(operation: string): boolean {
  const call = (calls.get(operation) ?? 0) + 1;
  calls.set(operation, call);
  return operation === failing && (once ? call === Number(nth) : call >= Number(nth));
}

function refuse(operation: string): never {
  throw Object.assign(new Error(`${code}: injected, ${operation}`), { code });
}

function checked<Arguments extends unknown[], Result>(operation: string, call: (...given: Arguments) => Result) {
  return (...given: Arguments): Result => (fails(operation) ? refuse(operation) : call(...given));
}

const writeSync = ((descriptor: number, bytes: Uint8Array, offset: number, length: number) => {
  if (fails('write')) {
    fs.writeSync(descriptor, bytes, offset, Math.floor(length / 2));
    refuse('write');
  }
  if (fault === 'nothing') return 0;
  return fs.writeSync(descriptor, bytes, offset, fault === 'short' ? Math.min(7, length) : length);
}) as typeof fs.writeSync;

function slowly(descriptor: number): void {
  if (fault === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  fs.fdatasyncSync(descriptor);
}

const faulty: LogFileSystem = {
  openSync: checked('open', fs.openSync),
  closeSync: fs.closeSync,
  writeSync,
  fsyncSync: checked('fsync', fs.fsyncSync),
  fdatasyncSync: checked('fdatasync', slowly),
  ftruncateSync: checked('ftruncate', fs.ftruncateSync),
  unlinkSync: checked('unlink', fs.unlinkSync),
};

export default faulty;
