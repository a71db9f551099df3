import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { testServers } from './test-servers.ts';

export interface TemporaryDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database on a server, by default that of `SPANWISE_TEST_DATABASE_URL`; null without a server. */
export async function temporaryDatabase(server: string): Promise<TemporaryDatabase>;
export async function temporaryDatabase(server?: string | null): Promise<TemporaryDatabase | null>;
export async function temporaryDatabase(server = testServers.postgres): Promise<TemporaryDatabase | null> {
  if (server === null) return null;
  const name = `spanwise_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
