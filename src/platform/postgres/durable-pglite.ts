import { fsyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}

/** What PGlite's WebAssembly module takes beyond what its types say: called when PostgreSQL panics. */
interface AbortOptions {
  onAbort?: () => void;
}

export interface DurablePgliteHooks {
  /** Called after every fsync that succeeded. */
  onSync?: () => void;
  /** Puts another in the place of `fsyncSync`; for the test of a disk that fails. */
  sync?: (descriptor: number) => void;
  /** Called in the middle of a statement when PostgreSQL has panicked: nothing that it says from then on is to be believed. */
  onPanic?: () => void;
}

/** EIO as WASI numbers it. */
const inputOutputError = 29;

/**
 * PGlite's file system on a directory, with the `fsync` that it lacks: without it PostgreSQL believes that its write-ahead log
 * is on disk when it is only in the page cache. Directories are opened by number as files are, so they are synced alike.
 */
class DurableNodeFs extends NodeFS {
  readonly #hooks: DurablePgliteHooks;

  constructor(directory: string, hooks: DurablePgliteHooks) {
    super(directory);
    this.#hooks = hooks;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { onSync, sync = fsyncSync, onPanic } = this.#hooks;
    const prepared = await super.init(...parameters);
    if (onPanic) (prepared.emscriptenOpts as AbortOptions).onAbort = onPanic;
    const preRun = prepared.emscriptenOpts.preRun as unknown as Array<(module: EmscriptenModule) => void>;
    preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = ({ nfd }) => {
        // PGlite swallows what is thrown through PostgreSQL; only an error number makes PostgreSQL panic, as it should.
        try {
          sync(nfd);
        } catch {
          return inputOutputError;
        }
        onSync?.();
        return 0;
      };
    });
    return prepared;
  }
}

/**
 * PostgreSQL's parameters: fsync on (PGlite starts with `-F`), memory for one connection rather than a hundred, and few log segments
 * kept for reuse.
 */
const startParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[
    'wal_sync_method=fsync',
    'shared_buffers=16MB',
    'work_mem=8MB',
    'maintenance_work_mem=16MB',
    'max_connections=5',
    'min_wal_size=32MB',
    'max_wal_size=64MB',
    'jit=off',
    'timezone=UTC',
  ].flatMap((setting) => ['-c', setting]),
];

/** Opens PostgreSQL in this thread on a directory, so that a commit that returned is on disk. */
export function openDurablePglite(directory: string, hooks: DurablePgliteHooks = {}): Promise<PGlite> {
  return PGlite.create({ fs: new DurableNodeFs(directory, hooks), startParams: startParameters });
}
