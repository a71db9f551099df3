import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { emptyCluster } from '../../../test/support/empty-cluster.ts';
import { temporaryDatabase } from '../../../test/support/temporary-database.ts';
import { testServers } from '../../../test/support/test-servers.ts';
import { openPostgres } from './postgres.ts';
import type { Postgres, PostgresOptions } from './postgres.ts';

export interface TestDatabase {
  /** null on the embedded backend. */
  url: string | null;
  dataDirectory: string;
  open(options?: Partial<PostgresOptions>): Promise<Postgres>;
  remove(): Promise<void>;
}

/** A place where PostgreSQL runs: `create` gives an empty database that nobody else uses. */
export interface Backend {
  mode: 'embedded' | 'server';
  create(): Promise<TestDatabase>;
}

const administrationUrl = testServers.postgres ?? 'postgres://postgres@127.0.0.1:5432/test';

export const embeddedBackend: Backend = { mode: 'embedded', create: createEmbedded };

/** The PostgreSQL server of this machine, or null when none answers: tests on it are then not registered. */
export const serverBackend: Backend | null = await answers().then(
  () => ({ mode: 'server', create: createOnServer }),
  () => null,
);

export const backends: readonly Backend[] = serverBackend ? [embeddedBackend, serverBackend] : [embeddedBackend];

async function answers(): Promise<void> {
  const client = new pg.Client({ connectionString: administrationUrl, connectionTimeoutMillis: 2_000 });
  await client.connect();
  await client.end();
}

async function createEmbedded(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-postgres-'));
  const dataDirectory = join(directory, 'postgres');
  await emptyCluster(dataDirectory);
  return testDatabase({ url: null, dataDirectory, remove: () => rm(directory, { recursive: true, force: true }) });
}

async function createOnServer(): Promise<TestDatabase> {
  const database = await temporaryDatabase(administrationUrl);
  return testDatabase({ url: database.url, dataDirectory: '', remove: database.drop });
}

function testDatabase(place: Pick<TestDatabase, 'url' | 'dataDirectory' | 'remove'>): TestDatabase {
  const { url, dataDirectory } = place;
  return { ...place, open: (options = {}) => openPostgres({ url, dataDirectory, onError: () => undefined, ...options }) };
}
