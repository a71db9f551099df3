import { fsyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}

/** An option of PGlite's WebAssembly module that its types lack: called when PostgreSQL panics. */
interface AbortOptions {
  onAbort?: () => void;
}

export interface DurablePgliteHooks {
  /** Called after every successful fsync. */
  onSync?: () => void;
  /** Replaces `fsyncSync`, to test a failing disk. */
  sync?: (descriptor: number) => void;
  /** Called within a statement when PostgreSQL panics; later answers must be ignored. */
  onPanic?: () => void;
}

/** EIO in WASI. */
const inputOutputError = 29;

/**
 * PGlite's file system on a directory, with the `fsync` that it lacks: without it the write-ahead log is only in the page cache when
 * PostgreSQL considers it durable. Directories have file descriptors too and are synced in the same way.
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
        // PGlite swallows exceptions that pass through PostgreSQL; an error number makes PostgreSQL panic, as required.
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
 * PostgreSQL's settings: fsync on (PGlite starts with `-F`), memory for one connection instead of 100, and few recycled log segments.
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

/**
 * Opens PostgreSQL on a directory, in this thread. A commit is on disk when it returns.
 *
 * @param module of {@link compilePglite}
 */
export function openDurablePglite(
  directory: string,
  module: WebAssembly.Module,
  hooks: DurablePgliteHooks = {},
): Promise<PGlite> {
  return PGlite.create({ fs: new DurableNodeFs(directory, hooks), startParams: startParameters, pgliteWasmModule: module });
}
