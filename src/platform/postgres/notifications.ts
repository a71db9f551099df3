import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from './postgres.ts';

/** Announces a message within a transaction: it is sent when the transaction is committed, and only then. At most 7,000 bytes. */
export type Publish = (channel: string, message: string) => Promise<void>;

export interface Subscriber {
  onMessage(message: string): void;
  /** Messages of other processes may have been missed: whatever was remembered on their account is no longer worth anything. */
  onMissed(): void;
}

/** How messages of other processes come in. */
export interface Receiver {
  /** Called once, with the first subscriber. */
  start(onMessage: (text: string) => void, onMissed: () => void): void;
  /** Whether messages come in: everything committed elsewhere until `delayMs` ago has been received. */
  receiving(): boolean;
  close(): Promise<void>;
}

/** The PostgreSQL channel that all messages go through. */
export const postgresChannel = 'spanwise';

/** Where one process alone uses the database there is nobody to hear from. */
export const nobodyElse: Receiver = { start: () => undefined, receiving: () => true, close: () => Promise.resolve() };

/**
 * Messages between the processes that share a database, and within this one, tied to transactions: for dropping what was remembered of
 * rows that have changed. On a server they go by LISTEN and NOTIFY; the embedded database has this process alone.
 */
export class Notifications {
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
   * Runs a transaction. What it publishes reaches the subscribers of this process before the returned promise settles, whether or not it
   * was committed, since a broken connection leaves that open; and those of others once it is committed.
   */
  async transaction<T>(work: (transaction: Transaction<unknown>, publish: Publish) => Promise<T>): Promise<T> {
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

  /** Whether messages of other processes come in at this moment, at most a second late. False until the first subscription is up. */
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
