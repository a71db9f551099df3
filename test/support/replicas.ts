import { randomBytes } from 'node:crypto';
import { startClickHouseServer } from './clickhouse-server.ts';
import { startService, temporaryDataDirectory } from './service.ts';
import type { Service, ServiceOptions } from './service.ts';
import { temporaryClickHouse } from './temporary-clickhouse.ts';
import { temporaryDatabase } from './temporary-database.ts';
import { testServers } from './test-servers.ts';

/** One PostgreSQL database and one ClickHouse database that several processes share. */
export interface Stores {
  databaseUrl: string;
  clickhouseUrl: string;
  /** The rows of a statement on that ClickHouse. */
  clickhouse(sql: string): Promise<unknown[]>;
  /** Starts a replica on a new data directory, or on the given one. */
  start(options?: ServiceOptions): Promise<Service>;
  /** Environment of every replica. */
  env: Record<string, string>;
  /** Kills the running replicas and removes all data. */
  close(): Promise<void>;
}

/** Whether there is a PostgreSQL server to share: `SPANWISE_TEST_DATABASE_URL`. */
export const canShare = testServers.postgres !== null;

async function rowsOf(clickhouseUrl: string, sql: string): Promise<unknown[]> {
  const url = new URL(clickhouseUrl);
  const address = `${url.origin}/?database=${url.pathname.slice(1)}&default_format=JSONEachRow`;
  const answer = await fetch(address, { method: 'POST', body: sql });
  const lines = (await answer.text()).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as unknown);
}

/** Creates a database on each server; starts a ClickHouse server unless `SPANWISE_TEST_CLICKHOUSE_URL` names one. */
export async function openSharedStores(): Promise<Stores> {
  const database = await temporaryDatabase();
  if (!database) throw new Error('SPANWISE_TEST_DATABASE_URL names no PostgreSQL server');
  const given = await temporaryClickHouse();
  const own = given ? null : await startClickHouseServer();
  await own?.query('CREATE DATABASE spanwise');
  const clickhouseUrl = given?.url ?? `${own?.url}/spanwise`;
  const directories: Array<{ remove(): Promise<void> }> = [];
  const services: Service[] = [];
  const env = {
    // Webhooks of tests listen there; with a second organization loopback is not reachable by default.
    SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8,::1',
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: clickhouseUrl,
    SPANWISE_SECRET_KEY: randomBytes(32).toString('hex'),
    SPANWISE_LOG_LEVEL: 'warn',
  };
  return {
    databaseUrl: database.url,
    clickhouseUrl,
    clickhouse: (sql) => rowsOf(clickhouseUrl, sql),
    env,
    start: async (options = {}) => {
      let { dataDirectory } = options;
      if (dataDirectory === undefined) {
        const directory = await temporaryDataDirectory();
        directories.push(directory);
        dataDirectory = directory.path;
      }
      const service = await startService({ ...options, dataDirectory, env: { ...env, ...options.env } });
      services.push(service);
      return service;
    },
    close: async () => {
      await Promise.all(services.map((service) => service.stop('SIGKILL')));
      await database.drop();
      await given?.drop();
      await own?.close();
      for (const directory of directories) await directory.remove();
    },
  };
}
