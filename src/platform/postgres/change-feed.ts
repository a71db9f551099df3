import { sql } from 'kysely';
import type { Database, Transaction } from './tables.ts';

/** Publishes a message of at most 7,000 bytes within a transaction; it is sent when the transaction commits. */
export type Publish = (channel: string, message: string) => Promise<void>;

export interface Subscriber {
  onMessage(message: string): void;
  /** Messages of other processes may have been missed: drop everything cached. */
  onMissed(): void;
}

/** Receives the messages of other processes. */
export interface Receiver {
  /** Called once, at the first subscription. */
  start(onMessage: (text: string) => void, onMissed: () => void): void;
  /** Whether messages arrive: everything that other processes committed until `delayMs` ago has been received. */
  receiving(): boolean;
  close(): Promise<void>;
}

/** The PostgreSQL notification channel of all messages. */
export const postgresChannel = 'spanwise';

/** The receiver of a database that only one process uses. */
export const singleProcess: Receiver = { start: () => undefined, receiving: () => true, close: () => Promise.resolve() };

/**
 * Transactional messages to all processes that share a database, this one included. Caches use them to drop changed rows. Between
 * processes they travel by LISTEN and NOTIFY; the embedded database is used by one process.
 */
export class ChangeFeed {
  readonly #db: Database;
  readonly #receiver: Receiver;
  readonly #shared: boolean;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #started = false;

  /** @param shared whether other processes use the database */
  constructor(db: Database, receiver: Receiver, shared: boolean) {
    this.#db = db;
    this.#receiver = receiver;
    this.#shared = shared;
  }

  /**
   * Runs a transaction. Its messages reach the subscribers of this process before the returned promise settles, also when it rejects: after
   * a broken connection it is unknown whether the transaction committed. Other processes receive them after the commit.
   */
  async transaction<T>(work: (transaction: Transaction, publish: Publish) => Promise<T>): Promise<T> {
    const published: Array<[channel: string, message: string]> = [];
    try {
      return await this.#db.transaction().execute((transaction) =>
        work(transaction, async (channel, message) => {
          published.push([channel, message]);
          if (this.#shared) await sql`SELECT pg_notify(${postgresChannel}, ${`${channel} ${message}`})`.execute(transaction);
        }),
      );
    } finally {
      for (const [channel, message] of published) this.#deliver(channel, message);
    }
  }

  /**
   * @param channel letters, digits and underscores
   * @returns ends the subscription
   */
  subscribe(channel: string, subscriber: Subscriber): () => void {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers.add(subscriber));
    if (!this.#started) {
      this.#started = true;
      this.#receiver.start(
        (text) => this.#receive(text),
        () => this.#missed(),
      );
    }
    return () => subscribers.delete(subscriber);
  }

  /** Whether messages of other processes currently arrive, at most 1 s late. False until the first subscription is established. */
  receiving(): boolean {
    return this.#started && this.#receiver.receiving();
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #receive(text: string): void {
    const end = text.indexOf(' ');
    if (end > 0) this.#deliver(text.slice(0, end), text.slice(end + 1));
  }

  #deliver(channel: string, message: string): void {
    for (const subscriber of this.#subscribers.get(channel) ?? []) subscriber.onMessage(message);
  }

  #missed(): void {
    for (const subscribers of this.#subscribers.values()) for (const subscriber of subscribers) subscriber.onMissed();
  }
}
