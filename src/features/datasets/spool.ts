import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import type { ItemContents } from './item-rows.ts';

const batchRows = 500;
const batchBytes = 2_000_000;

/**
 * Items on disk until the whole imported file is validated. They are then stored in one short transaction, which does not wait for a slow
 * sender. Memory holds one batch. The file is unlinked, so that nothing is left after a crash.
 *
 * Errors of every method: `unavailable` when the disk is full or fails.
 */
export class Spool {
  readonly #file: FileHandle;
  readonly #batches: Array<{ offset: number; length: number }> = [];
  #open: ItemContents[] = [];
  #openBytes = 0;
  #end = 0;
  #count = 0;
  #identified = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(directory: string): Promise<Spool> {
    const path = join(directory, `import-${randomUUID()}`);
    const file = await onDisk(open(path, 'wx+', 0o600));
    await onDisk(unlink(path));
    return new Spool(file);
  }

  /** The number of items. */
  get count(): number {
    return this.#count;
  }

  /** The number of items with an external id. */
  get identified(): number {
    return this.#identified;
  }

  async add(item: ItemContents): Promise<void> {
    this.#open.push(item);
    this.#count += 1;
    if (item.externalId !== null) this.#identified += 1;
    this.#openBytes += item.input.length + (item.expectedOutput?.length ?? 0) + item.metadata.length;
    if (this.#open.length >= batchRows || this.#openBytes >= batchBytes) await this.#write();
  }

  /** All items in order, in batches. */
  async *read(): AsyncGenerator<ItemContents[]> {
    await this.#write();
    for (const { offset, length } of this.#batches) {
      const bytes = Buffer.alloc(length);
      await onDisk(this.#file.read(bytes, 0, length, offset));
      yield JSON.parse(bytes.toString('utf8')) as ItemContents[];
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(): Promise<void> {
    if (this.#open.length === 0) return;
    const bytes = Buffer.from(JSON.stringify(this.#open));
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await onDisk(this.#file.write(bytes, written, bytes.length - written, this.#end + written));
      written += bytesWritten;
    }
    this.#batches.push({ offset: this.#end, length: bytes.length });
    this.#end += bytes.length;
    this.#open = [];
    this.#openBytes = 0;
  }
}

async function onDisk<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (cause) {
    throw new ServiceError('unavailable', 'The service cannot store the file just now; keep it and send it again later.', {
      retryAfterSeconds: 30,
      cause,
    });
  }
}
