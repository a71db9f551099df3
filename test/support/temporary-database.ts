import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database of its own on the server that `SPANWISE_TEST_DATABASE_URL` names; null when none is named. */
export async function temporaryDatabase(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const server = process.env['SPANWISE_TEST_DATABASE_URL'];
  if (server === undefined || server === '') return null;
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
