import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Parts of a data directory, as bits of a mask. */
export const parts = { wal: 1, clickhouse: 2, postgres: 4, temporary: 8, other: 16, all: 31 } as const;
/** Operations that a fault applies to, as bits of a mask; `name` is create, rename and remove. */
export const operations = { write: 1, sync: 2, name: 4, all: 7 } as const;

/**
 * The faults that the layer injects; they can be changed while the process runs. A kill counts the operations of the parts and happens
 * right before or after one.
 */
export interface LayerFaults {
  clockOffsetMs: number;
  /** Bytes that the parts may grow by before ENOSPC; null without a limit. */
  space: { parts: number; bytes: number } | null;
  /** EIO or ENOSPC, for operations after the first `skip` (default 0), `count` times (default: always). */
  error: { parts: number; operations: number; code?: 'EIO' | 'ENOSPC'; skip?: number; count?: number } | null;
  delay: { parts: number; microseconds: number } | null;
  kill: { parts: number; operations: number; countdown: number; afterwards: boolean } | null;
  /** Parts whose syncs succeed without making anything durable; the tests plant this fault. */
  forgottenSyncs: number;
}

const nothing: LayerFaults = { clockOffsetMs: 0, space: null, error: null, delay: null, kill: null, forgottenSyncs: 0 };
const controlBytes = 4096;
const injectedAt = 56;

/** Whether this machine can compile the layer: Linux on x86-64 with gcc. */
export function canCompileLayer(): boolean {
  if (process.platform !== 'linux' || process.arch !== 'x64') return false;
  return spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The compiled layer (disk-layer.c). */
export class DiskLayerLibrary {
  readonly #directory = mkdtempSync(join(tmpdir(), 'spanwise-disk-layer-'));
  #count = 0;

  /** Errors: when {@link canCompileLayer} is false. */
  constructor() {
    const source = join(import.meta.dirname, 'disk-layer.c');
    execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', this.#path, source, '-ldl', '-lpthread'], { stdio: 'pipe' });
  }

  get #path(): string {
    return join(this.#directory, 'disk-layer.so');
  }

  /** The layer for processes on `dataDirectory`. */
  layer(dataDirectory: string): DiskLayer {
    return new DiskLayer(this.#path, join(this.#directory, String(++this.#count)), dataDirectory);
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** The disk and the clock of one data directory. */
export class DiskLayer {
  /** Path of the journal: all changes since the last power cut, in order. */
  readonly journal: string;
  readonly dataDirectory: string;
  readonly #library: string;
  readonly #controlPath: string;
  readonly #control: number;
  #faults = nothing;

  constructor(library: string, prefix: string, dataDirectory: string) {
    this.#library = library;
    this.dataDirectory = dataDirectory;
    this.journal = `${prefix}.journal`;
    this.#controlPath = `${prefix}.control`;
    writeFileSync(this.#controlPath, Buffer.alloc(controlBytes));
    this.#control = openSync(this.#controlPath, 'r+');
    this.set({});
  }

  /** The environment of the process. Power cuts need `journaled`; without it syncs are skipped and not recorded. */
  environment({ journaled }: { journaled: boolean }): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAULTS_DIRECTORY: this.dataDirectory,
      FAULTS_CONTROL: this.#controlPath,
      ...(journaled ? { FAULTS_JOURNAL: this.journal } : {}),
    };
  }

  /** Changes the given faults and keeps the others. */
  set(changed: Partial<LayerFaults>): void {
    this.#faults = { ...this.#faults, ...changed };
    const { clockOffsetMs, space, error, delay, kill, forgottenSyncs } = this.#faults;
    const block = Buffer.alloc(injectedAt);
    block.writeBigInt64LE(BigInt(Math.round(clockOffsetMs)) * 1_000_000n, 0);
    block.writeBigInt64LE(BigInt(space?.bytes ?? -1), 8);
    const words = [
      space?.parts,
      error?.parts,
      error?.operations,
      delay?.parts,
      delay?.microseconds,
      kill?.parts,
      kill?.operations,
      kill?.countdown,
      Number(kill?.afterwards),
      forgottenSyncs,
    ];
    for (const [index, word] of words.entries()) block.writeUInt32LE(word || 0, 16 + 4 * index);
    const errors = Buffer.alloc(12);
    errors.writeInt32LE(error?.skip ?? 0, 0);
    errors.writeInt32LE(error?.count ?? -1, 4);
    errors.writeUInt32LE(constants.errno[error?.code ?? 'EIO'], 8);
    writeSync(this.#control, errors, 0, errors.length, injectedAt + 4);
    writeSync(this.#control, block, 0, block.length, 0);
  }

  /** Number of injected errors. */
  injected(): number {
    const word = Buffer.alloc(4);
    readSync(this.#control, word, 0, 4, injectedAt);
    return word.readUInt32LE();
  }

  close(): void {
    closeSync(this.#control);
    for (const path of [this.#controlPath, this.journal]) rmSync(path, { force: true });
  }
}
