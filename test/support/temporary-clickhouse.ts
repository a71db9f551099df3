import { randomUUID } from 'node:crypto';
import { testServers } from './test-servers.ts';

/** Creates a database on the server of `SPANWISE_TEST_CLICKHOUSE_URL`; null when that is not set. */
export async function temporaryClickHouse(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const server = testServers.clickhouse;
  if (server === null) return null;
  const name = `spanwise_test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `DROP DATABASE ${name}`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const { origin, username, password } = new URL(server);
  const answer = await fetch(origin, {
    method: 'POST',
    body: statement,
    headers:
      username === ''
        ? {}
        : { authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` },
  });
  if (!answer.ok) throw new Error(`ClickHouse answered ${answer.status} to ${statement}: ${await answer.text()}`);
}
