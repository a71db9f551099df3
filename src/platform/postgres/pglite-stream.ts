import { Duplex } from 'node:stream';
import type { PgliteThread } from './pglite-thread.ts';

/** The first byte of the protocol's Terminate message. */
const terminate = 'X'.charCodeAt(0);

/** A connection to the embedded PostgreSQL; `pg` uses it as a socket. */
export class PgliteStream extends Duplex {
  readonly #open: () => Promise<PgliteThread>;
  #thread: PgliteThread | null = null;
  #underWay = 0;

  /** @param open resolves with the thread, its session reset */
  constructor(open: () => Promise<PgliteThread>) {
    super();
    this.#open = open;
  }

  connect(): this {
    this.#open().then(
      (thread) => {
        this.#thread = thread;
        if (!this.destroyed) this.emit('connect');
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Nothing to do: each answer is pushed whole when it arrives.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send([chunk], done);
  }

  override _writev(chunks: Array<{ chunk: Buffer }>, done: (error?: Error | null) => void): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // `pg` destroys a connection whose statement has timed out. Only the end of the thread stops that statement.
    if (this.#underWay > 0) void this.#thread?.terminate();
    done(error);
  }

  #send(messages: readonly Buffer[], done: (error?: Error | null) => void): void {
    // Drop Terminate messages: PostgreSQL would end its only session.
    const bytes = Buffer.concat(messages.filter((message) => message[0] !== terminate));
    if (bytes.length === 0 || !this.#thread) {
      done();
      return;
    }
    this.#underWay++;
    this.#thread.exchange(bytes).then(
      (answer) => {
        this.#underWay--;
        if (answer.length > 0) this.push(answer);
        done();
      },
      (error: Error) => {
        this.#underWay--;
        done(error);
      },
    );
  }
}
