import { Worker } from 'node:worker_threads';

/** What a thread is started for: making a database in a directory, or serving the one that is there. */
export interface PgliteTask {
  directory: string;
  task: 'initialise' | 'serve';
}

type WorkerMessage = Uint8Array | 'ready' | { failure: string };

interface Waiting {
  resolve: (answer: Uint8Array) => void;
  reject: (error: Error) => void;
}

const closePatienceMs = 10_000;

/** One life of the thread in which the embedded PostgreSQL runs. Takes and gives bytes of PostgreSQL's wire protocol. */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#fail(new Error('the embedded PostgreSQL has ended')));
  }

  /** Serves the database of a directory. Rejects when it cannot be opened. */
  static async open(directory: string): Promise<PgliteThread> {
    const thread = new PgliteThread(start({ directory, task: 'serve' }));
    await thread.#next();
    return thread;
  }

  /**
   * Makes a database in a directory, in a thread that ends: what initdb takes in memory is then given back, which WebAssembly
   * does not do by itself.
   */
  static async initialise(directory: string): Promise<void> {
    const thread = new PgliteThread(start({ directory, task: 'initialise' }));
    await thread.#next();
    await thread.terminate();
  }

  /** Why it no longer answers; null while it does. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Sends whole protocol messages; resolves with what the server answers to them, in the order of the calls. */
  exchange(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#failure) return Promise.reject(this.#failure);
    const answer = this.#next();
    this.#worker.postMessage(bytes);
    return answer;
  }

  /** Shuts PostgreSQL down, so that the next start has nothing to recover. */
  async close(): Promise<void> {
    if (this.#failure) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#worker.once('exit', () => resolve());
    this.#worker.postMessage('close');
    const impatience = setTimeout(() => void this.terminate(), closePatienceMs);
    await ended;
    clearTimeout(impatience);
  }

  /** Ends the thread where it stands; what it has committed is on disk. */
  async terminate(): Promise<void> {
    this.#fail(new Error('the embedded PostgreSQL was stopped'));
    await this.#worker.terminate();
  }

  #next(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #receive(message: WorkerMessage): void {
    if (message === 'ready') this.#waiting.shift()?.resolve(new Uint8Array());
    else if (message instanceof Uint8Array) this.#waiting.shift()?.resolve(message);
    else this.#fail(new Error(`the embedded PostgreSQL failed: ${message.failure}`));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

function start(task: PgliteTask): Worker {
  return new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: task });
}
