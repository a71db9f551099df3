import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFileHashed, listTree } from '../../platform/files/index.ts';
import type { FileHash } from '../../platform/files/index.ts';

interface Copied extends FileHash {
  /** State of the original before it was copied. */
  state: string;
  /** The last change is old enough that a further one would change `state`. */
  settled: boolean;
}

/** Files of the process that has the database open; not copied. */
const processFiles = new Set(['postmaster.pid', 'postmaster.opts']);
/** Milliseconds. File system times are coarse: two changes within one tick have the same time. */
const tickMs = 1000;

/**
 * A copy of a directory, made in passes: each copies the files that changed since the one before. The copy is exact after a pass during which
 * nothing was written, so that only the last, short pass needs the database held.
 */
export class DatabaseCopy {
  readonly #from: string;
  readonly #into: string;
  readonly #signal: AbortSignal | undefined;
  #copied = new Map<string, Copied>();
  #directories: string[] = [];

  /** @param signal makes a pass reject before its next file */
  constructor(from: string, into: string, signal?: AbortSignal) {
    this.#from = from;
    this.#into = into;
    this.#signal = signal;
  }

  /** Copied files by path. */
  get files(): ReadonlyMap<string, FileHash> {
    return this.#copied;
  }

  get directories(): readonly string[] {
    return this.#directories;
  }

  async pass(): Promise<void> {
    const { files, directories } = await listTree(this.#from);
    await mkdir(this.#into, { recursive: true, mode: 0o700 });
    for (const directory of directories) await mkdir(join(this.#into, directory), { recursive: true, mode: 0o700 });
    const present = new Map<string, Copied>();
    for (const file of files) {
      if (processFiles.has(file)) continue;
      this.#signal?.throwIfAborted();
      const copied = await this.#brought(file);
      if (copied) present.set(file, copied);
    }
    for (const gone of this.#copied.keys()) if (!present.has(gone)) await rm(join(this.#into, gone), { force: true });
    const stay = new Set(directories);
    for (const gone of this.#directories) if (!stay.has(gone)) await rm(join(this.#into, gone), { recursive: true, force: true });
    this.#copied = present;
    this.#directories = directories;
  }

  /** null: the file was deleted. */
  async #brought(file: string): Promise<Copied | null> {
    const path = join(this.#from, file);
    try {
      const before = Date.now();
      const { size, mtimeNs, mtimeMs, ino } = await stat(path, { bigint: true });
      const state = `${size} ${mtimeNs} ${ino}`;
      const known = this.#copied.get(file);
      if (known?.settled === true && known.state === state) return known;
      await mkdir(dirname(join(this.#into, file)), { recursive: true, mode: 0o700 });
      const hash = await copyFileHashed(path, join(this.#into, file));
      return { ...hash, state, settled: Number(mtimeMs) < before - tickMs };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && (error as NodeJS.ErrnoException).path === path) return null;
      throw error;
    }
  }
}
