import type pg from 'pg';
import { asServiceError } from './database-error.ts';

/** Runs work under a named lock. Resolves with null, without running it, when `wait` is false and the lock is held. */
export type NamedLock = <T>(name: string, wait: boolean, work: () => Promise<T>) => Promise<T | null>;

/** Named locks among the callers in this process; sufficient where one process owns the database. */
export function mutexLock(): NamedLock {
  const held = new Map<string, Promise<void>>();
  return async (name, wait, work) => {
    for (let holder = held.get(name); holder; holder = held.get(name)) {
      if (!wait) return null;
      await holder;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(name, promise);
    try {
      return await work();
    } finally {
      held.delete(name);
      resolve();
    }
  };
}

export interface AdvisoryLockOptions {
  /** Timeout for the lock, in milliseconds; then `ServiceError('unavailable')`. */
  waitMs: number;
  /** Called when the connection that holds a lock breaks: PostgreSQL has released the lock, but the work still runs. */
  onError: (error: Error) => void;
}

/**
 * Session-level advisory locks. PostgreSQL releases a lock when the holder's connection ends, also when it breaks.
 *
 * @param pool used for locks only: a lock occupies its connection while the work runs, and the work needs connections of its own
 */
export function advisoryLock(pool: pg.Pool, { waitMs, onError }: AdvisoryLockOptions): NamedLock {
  return async (name, wait, work) => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asServiceError(error);
    });
    const broken = new AbortController();
    const onBroken = (error: Error) => {
      broken.abort();
      onError(error);
    };
    client.on('error', onBroken);
    try {
      if (!(await acquire(client, name, wait ? waitMs : 0))) return null;
      return await work();
    } finally {
      if (!broken.signal.aborted) await release(client, name).catch(onBroken);
      client.off('error', onBroken);
      client.release(broken.signal.aborted);
    }
  };
}

async function acquire(client: pg.PoolClient, name: string, waitMs: number): Promise<boolean> {
  try {
    if (waitMs === 0) {
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [
        name,
      ]);
      return rows[0]?.taken === true;
    }
    await client.query("SELECT set_config('lock_timeout', $1, false)", [String(waitMs)]);
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return true;
  } catch (error) {
    throw asServiceError(error);
  }
}

async function release(client: pg.PoolClient, name: string): Promise<void> {
  await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
}
