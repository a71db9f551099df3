import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyStore } from '../../../test/support/store-templates.ts';
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

/** A PostgreSQL backend. `create` makes a database without tables; an embedded one that is `migrated` has the tables already. */
export interface Backend {
  mode: 'embedded' | 'server';
  create(options?: { migrated?: boolean }): Promise<TestDatabase>;
}

export const embeddedBackend: Backend = { mode: 'embedded', create: createEmbedded };

const server = testServers.postgres;

/** The server of `SPANWISE_TEST_DATABASE_URL`; null when the variable is not set. */
export const serverBackend: Backend | null = server === null ? null : { mode: 'server', create: () => createOnServer(server) };

/** The server if the variable is set (`npm run test:servers`), else the embedded PostgreSQL (`npm test`). */
export const backends: readonly Backend[] = [serverBackend ?? embeddedBackend];

async function createEmbedded({ migrated = false } = {}): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-postgres-'));
  const dataDirectory = join(directory, 'postgres');
  copyStore(migrated ? 'postgres' : 'empty-postgres', dataDirectory);
  return testDatabase({ url: null, dataDirectory, remove: () => rm(directory, { recursive: true, force: true }) });
}

async function createOnServer(url: string): Promise<TestDatabase> {
  const database = await temporaryDatabase(url);
  return testDatabase({ url: database.url, dataDirectory: '', remove: database.drop });
}

function testDatabase(place: Pick<TestDatabase, 'url' | 'dataDirectory' | 'remove'>): TestDatabase {
  const { url, dataDirectory } = place;
  return { ...place, open: (options = {}) => openPostgres({ url, dataDirectory, onError: () => undefined, ...options }) };
}
