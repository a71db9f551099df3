import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory, writeDurably } from './durable-file.ts';
import type { ByteRange } from './segment-format.ts';
import { segmentFileName } from './segment-format.ts';

/** Keeps unreadable bytes of a log in files `quarantine/<segment>.<from>-<to>`, for the operator. */
export class Quarantine {
  readonly #directory: string;
  readonly #onQuarantine: (file: string, bytes: number) => void;
  readonly #kept = new Set<string>();

  constructor(logDirectory: string, onQuarantine: (file: string, bytes: number) => void) {
    this.#directory = join(logDirectory, 'quarantine');
    this.#onQuarantine = onQuarantine;
  }

  /** Number of unreadable ranges found since the log was opened. */
  get ranges(): number {
    return this.#kept.size;
  }

  /** Writes ranges of a segment's bytes, except those written before. Errors: of the file system; the segment must then not be removed. */
  async keep(segmentId: number, bytes: Buffer, damage: readonly ByteRange[]): Promise<void> {
    for (const { from, to } of damage) {
      await this.keepRecord(`${segmentFileName(segmentId)}.${from}-${to}`, bytes.subarray(from, to));
    }
  }

  /** Writes bytes under a name, unless the name exists. */
  async keepRecord(name: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#directory, name);
    if (this.#kept.has(file)) return;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await syncDirectory(join(this.#directory, '..'));
    await writeDurably(file, bytes);
    this.#kept.add(file);
    this.#onQuarantine(file, bytes.length);
  }
}
