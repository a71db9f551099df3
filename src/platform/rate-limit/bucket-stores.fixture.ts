import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyStore } from '../../../test/support/store-templates.ts';
import { temporaryDatabase } from '../../../test/support/temporary-database.ts';
import { testServers } from '../../../test/support/test-servers.ts';
import { migratePostgres, openPostgres } from '../postgres/index.ts';
import { PostgresBuckets } from './postgres-buckets.ts';
import type { BucketStore } from './rate-limit.ts';
import { RedisBuckets } from './redis-buckets.ts';

export interface TestBuckets {
  store: BucketStore;
  close(): Promise<void>;
}

/**
 * A bucket store: in PostgreSQL (embedded, or the server of `SPANWISE_TEST_DATABASE_URL`), or in the Redis of `SPANWISE_TEST_REDIS_URL`;
 * null when that variable is not set.
 */
export async function openTestBuckets(name: 'PostgreSQL' | 'Redis'): Promise<TestBuckets | null> {
  const throwIt = (error: Error) => {
    throw error;
  };
  if (name === 'Redis') {
    const url = testServers.redis;
    if (url === null) return null;
    const store = new RedisBuckets(url, throwIt);
    // The store connects in the background.
    for (;;) {
      const answered = await store.take({ capacity: 1, refillPerSecond: 1 }, new Map([['probe', 1]]), 0).then(
        () => true,
        () => false,
      );
      if (answered) return { store, close: () => store.close() };
      await delay(10);
    }
  }
  const database = await temporaryDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-buckets-'));
  const dataDirectory = join(directory, 'postgres');
  if (database === null) copyStore('postgres', dataDirectory);
  const postgres = await openPostgres({ url: database?.url ?? null, dataDirectory, onError: throwIt });
  await migratePostgres(postgres, join(import.meta.dirname, '../../../migrations/postgres'));
  return {
    store: new PostgresBuckets(postgres.db),
    close: async () => {
      await postgres.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
