import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCluster } from './initialise-cluster.ts';
import { PgliteStream } from './pglite-stream.ts';
import { PgliteThread } from './pglite-thread.ts';

/** The simple query message of PostgreSQL's protocol. */
function query(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.write('Q');
  message.writeInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return message;
}

// PGlite has a single session; reset it for each connection.
const freshSession = [query('ROLLBACK'), query('DISCARD ALL')];

/**
 * The embedded PostgreSQL of one directory. It serves one connection at a time. When its thread dies (PostgreSQL panics on disk
 * errors) or is terminated, the next connection starts another, which recovers from the write-ahead log, as a server's postmaster does.
 */
export class EmbeddedServer {
  readonly #directory: string;
  readonly #onError: (error: Error) => void;
  #thread: Promise<PgliteThread>;
  #closed = false;

  private constructor(directory: string, thread: PgliteThread, onError: (error: Error) => void) {
    this.#directory = directory;
    this.#thread = Promise.resolve(thread);
    this.#onError = onError;
  }

  /** Opens the database of a directory, and creates it if there is none. */
  static async open(directory: string, onError: (error: Error) => void): Promise<EmbeddedServer> {
    if (!hasCluster(directory)) {
      mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
      await PgliteThread.initialise(directory);
    }
    return new EmbeddedServer(directory, await PgliteThread.open(directory), onError);
  }

  /** A connection. Use it only after the previous one has ended. */
  stream(): PgliteStream {
    return new PgliteStream(() => this.#connect());
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = await this.#thread.catch(() => null);
    await thread?.close();
  }

  async #connect(): Promise<PgliteThread> {
    const thread = await this.#living();
    for (const message of freshSession) await thread.exchange(message);
    return thread;
  }

  #living(): Promise<PgliteThread> {
    const before = this.#thread;
    const now = before.then(
      (thread) => (thread.failure === null ? thread : this.#reopen(thread.failure)),
      (error: unknown) => this.#reopen(error),
    );
    this.#thread = now;
    now.catch(() => undefined);
    return now;
  }

  async #reopen(cause: unknown): Promise<PgliteThread> {
    if (this.#closed) throw new Error('the embedded PostgreSQL is closed');
    this.#onError(new Error('the embedded PostgreSQL is started again', { cause }));
    return PgliteThread.open(this.#directory);
  }
}
