import { mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../../platform/files/index.ts';

/**
 * The files of exports, in a folder of the data directory. An unfinished one has another name, so that a finished one appears at once. It grows by whole pages; the
 * job records its size with each, and what a crash left beyond that is cut off.
 */
export class ExportFiles {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'exports');
  }

  /** Where the finished file of a job is. */
  path(jobId: string): string {
    return join(this.#folder, `${jobId}.export`);
  }

  /**
   * Appends to an unfinished file, durably.
   *
   * @param bytes the size of the file by the job's record
   * @returns the new size; null when the file does not have these bytes: another process wrote them, or they were lost
   */
  async append(jobId: string, bytes: number, texts: AsyncIterable<string>): Promise<number | null> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#unfinished(jobId);
    const size = (await stat(path).catch(() => null))?.size ?? 0;
    if (size < bytes) return null;
    if (size > bytes) await truncate(path, bytes);
    const file = await open(path, 'a', 0o600);
    try {
      let written = bytes;
      for await (const text of texts) {
        const buffer = Buffer.from(text);
        await file.appendFile(buffer);
        written += buffer.length;
      }
      await file.sync();
      return written;
    } finally {
      await file.close();
    }
  }

  /** Gives a file its final name; may be repeated. @returns false when it is not here */
  async finish(jobId: string): Promise<boolean> {
    const [final, unfinished] = [this.path(jobId), this.#unfinished(jobId)];
    if ((await stat(unfinished).catch(() => null)) === null) return (await stat(final).catch(() => null)) !== null;
    await rename(unfinished, final);
    await syncPath(this.#folder);
    return true;
  }

  /** Removes what there is of a job. */
  async remove(jobId: string): Promise<void> {
    for (const path of [this.#unfinished(jobId), this.path(jobId)]) await rm(path, { force: true });
  }

  /** The jobs that have a file here. */
  async jobs(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))];
  }

  #unfinished(jobId: string): string {
    return join(this.#folder, `${jobId}.unfinished`);
  }
}
