import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWal } from './open-wal.ts';
import type { WalOptions } from './open-wal.ts';
import type { OpenedWal, SegmentInfo } from './wal.ts';

/** Temporary directories and the logs opened in them, closed and deleted together. */
export class OpenedLogs {
  readonly #directories: string[] = [];
  readonly #logs: OpenedWal[] = [];

  directory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'spanwise-wal-'));
    this.#directories.push(directory);
    return directory;
  }

  async open(directory: string, options: Omit<WalOptions, 'directory'> = {}): Promise<OpenedWal> {
    const log = await openWal({ directory, ...options });
    this.#logs.push(log);
    return log;
  }

  async dispose(): Promise<void> {
    for (const log of this.#logs.splice(0)) await log.close();
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  }
}

/** The URL of faulty-file-system.fixture.ts with the given faults. */
export function faultyFileSystem(fault: string): string {
  const url = new URL('./faulty-file-system.fixture.ts', import.meta.url);
  url.searchParams.set('fault', fault);
  return url.href;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The records of some segments, as text, in order. */
export async function textsIn(log: OpenedWal, segments: readonly SegmentInfo[]): Promise<string[]> {
  const texts: string[] = [];
  for (const segment of segments) texts.push(...(await log.read(segment)).map(textOf));
  return texts;
}

/** All records that a log offers to its consumer. */
export async function textsOf(log: OpenedWal): Promise<string[]> {
  return textsIn(log, await log.rotate());
}
