import { sql } from 'kysely';
import { maxClockDifferenceMs } from '../clock/clock.ts';
import type { BucketSize, BucketStore, Taken } from './rate-limit.ts';
import type { Database } from '../postgres/index.ts';

/**
 * Buckets in the PostgreSQL table `rate_buckets`. The table is unlogged: writes cost no fsync, and after a crash of the server every bucket
 * is full. One statement takes from any number of buckets, always in the same order, so that two processes cannot deadlock.
 */
export class PostgresBuckets implements BucketStore {
  readonly name = 'PostgreSQL';
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async take(
    { capacity, refillPerSecond }: BucketSize,
    wanted: ReadonlyMap<string, number>,
    nowMs: number,
  ): Promise<ReadonlyMap<string, Taken>> {
    // The inserted row carries the wanted tokens as `granted` and the current time as `at_ms`.
    const held = sql`least(${capacity}::float8, bucket.tokens
      + greatest(0, excluded.at_ms - bucket.at_ms) * ${refillPerSecond}::float8 / 1000)`;
    // Tolerance for rounding: a token refilled in parts may sum to slightly less than 1.
    const granted = sql`least(excluded.granted, floor(${held} + 1e-9))`;
    const { rows } = await sql<{ name: string; granted: number; left: number }>`
      INSERT INTO rate_buckets AS bucket (name, tokens, at_ms, granted)
      SELECT name, ${capacity}::float8 - least(wanted, ${capacity}::integer), ${nowMs}::bigint, least(wanted, ${capacity}::integer)
      FROM unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::integer[]) AS asked (name, wanted)
      ORDER BY name
      ON CONFLICT (name) DO UPDATE SET
        tokens = greatest(0, ${held} - ${granted}), granted = ${granted},
        at_ms = CASE WHEN bucket.at_ms > excluded.at_ms + ${maxClockDifferenceMs} THEN excluded.at_ms ELSE greatest(bucket.at_ms, excluded.at_ms) END
      RETURNING name, granted, tokens AS left`.execute(this.#db);
    return new Map(rows.map((row) => [row.name, { granted: row.granted, left: row.left }]));
  }

  async forgetFull({ capacity, refillPerSecond }: BucketSize, nowMs: number): Promise<void> {
    const full = nowMs - (capacity / refillPerSecond) * 1000;
    await sql`DELETE FROM rate_buckets WHERE at_ms < ${Math.floor(full)}::bigint`.execute(this.#db);
  }

  async ping(): Promise<void> {
    await sql`SELECT 1`.execute(this.#db);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
