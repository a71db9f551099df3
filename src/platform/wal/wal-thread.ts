import { Worker } from 'node:worker_threads';
import type { WalAnswer, WalRequest, WalWorkerData } from './wal-worker.ts';
import { WalFailedError } from './wal.ts';

/** The thread that writes the log. Requests are carried out and answered in order. */
export class WalThread {
  readonly #worker: Worker;
  readonly #waiting: Array<{ resolve: () => void; reject: (error: Error) => void }> = [];
  #failure: Error | null = null;
  #ended = false;
  #closing: Promise<void> | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: WalAnswer) => this.#answered(answer));
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error("the log's thread has ended")));
  }

  /** Starts the thread; a module that cannot be loaded shows at the first request. */
  static start(data: WalWorkerData): Promise<WalThread> {
    const worker = new Worker(new URL('./wal-worker.ts', import.meta.url), { workerData: data });
    const thread = new WalThread(worker);
    return new Promise((resolve, reject) => {
      worker.once('online', () => resolve(thread));
      worker.once('error', reject);
    });
  }

  /** What made the log unwritable; null while all is well. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Resolves once the request is carried out. After a failed commit or opening no other one is tried; a failed removal can be.
   *
   * Errors: {@link WalFailedError}.
   */
  ask(request: WalRequest, transfer: ArrayBuffer[] = []): Promise<void> {
    if (this.#ended && this.#failure) return Promise.reject(new WalFailedError(this.#failure));
    if (this.#closing) return Promise.reject(new WalFailedError(new Error('the log is closed')));
    return this.#send(request, transfer);
  }

  /**
   * Goes on in a new segment after a failure; the old descriptor is never written again.
   *
   * Errors: {@link WalFailedError} when that fails too; it can be tried again.
   */
  async reopen(id: number, failed: { path: string; bytes: number } | null): Promise<void> {
    await this.ask({ kind: 'reopen', id, failed });
    this.#failure = null;
  }

  #send(request: WalRequest, transfer: ArrayBuffer[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, transfer);
    });
  }

  /** Ends the thread after everything asked before. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#ended) return;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    await this.#send({ kind: 'close' }).catch(() => this.#worker.terminate());
    await exited;
  }

  #answered(answer: WalAnswer): void {
    const waiting = this.#waiting.shift();
    if (answer.failure === null) {
      waiting?.resolve();
      return;
    }
    const error = Object.assign(new Error(answer.failure.message), { code: answer.failure.code });
    if (answer.broken) this.#failure ??= error;
    waiting?.reject(new WalFailedError(error));
  }

  #end(error: Error): void {
    this.#ended = true;
    if (this.#closing && this.#waiting.length === 0) return;
    this.#failure ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new WalFailedError(this.#failure));
  }
}
