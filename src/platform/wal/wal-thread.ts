import { WorkerThread, withTransfer } from '../thread-rpc/index.ts';
import type { FailedSegment, WalWorkerData, WalWriter } from './wal-worker.ts';
import { WalFailedError } from './wal.ts';

/** The thread that writes the log. Calls are carried out and answered in order; each rejects with {@link WalFailedError}. */
export class WalThread {
  readonly #thread: WorkerThread<WalWriter>;
  #failure: Error | null = null;
  #closing: Promise<void> | null = null;

  /** Starts the thread; a module that cannot be loaded rejects the first call. */
  constructor(data: WalWorkerData) {
    this.#thread = new WorkerThread(new URL('./wal-worker.ts', import.meta.url), { name: "the log's thread", workerData: data });
  }

  /** Why the log is unwritable; null while commits are possible. */
  get failure(): Error | null {
    return this.#failure ?? (this.#closing ? null : this.#thread.failure);
  }

  /** Writes and syncs a batch of `bytes` bytes: in the arena, or in `own`, which is transferred. After a failure every further commit or open is rejected. */
  commit(bytes: number, own: ArrayBuffer | null): Promise<void> {
    return this.#ask((thread) => thread.call('commit', bytes, own && withTransfer(own, [own])), { breaks: true });
  }

  /** Creates the next segment and makes it active. */
  open(id: number): Promise<void> {
    return this.#ask((thread) => thread.call('open', id), { breaks: true });
  }

  /** Continues in a new segment after a failure; the old descriptor is never written again. It can be repeated when it fails. */
  async reopen(id: number, failed: FailedSegment | null): Promise<void> {
    await this.#ask((thread) => thread.call('reopen', id, failed));
    this.#failure = null;
  }

  /** Deletes a segment. It can be repeated when it fails. */
  remove(path: string): Promise<void> {
    return this.#ask((thread) => thread.call('remove', path));
  }

  /** Truncates a segment to its header. It can be repeated when it fails. */
  empty(path: string): Promise<void> {
    return this.#ask((thread) => thread.call('empty', path));
  }

  /** Ends the thread after everything called before. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Terminating the thread closes its descriptors.
    await this.#thread.call('close').catch(() => undefined);
    await this.#thread.terminate();
  }

  /** @param breaks whether the log is unwritable after a failure */
  async #ask(call: (thread: WorkerThread<WalWriter>) => Promise<void>, { breaks = false } = {}): Promise<void> {
    if (this.#closing) throw new WalFailedError(new Error('the log is closed'));
    try {
      await call(this.#thread);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (breaks) this.#failure ??= failure;
      throw new WalFailedError(failure);
    }
  }
}
