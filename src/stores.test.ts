import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { unusedStores } from './stores.ts';

test('names each embedded store that a server takes the place of, and no other', () => {
  const both = { postgres: tmpdir(), clickhouse: tmpdir() };
  const database = { databaseUrl: 'postgres://db.internal/spanwise', clickhouseUrl: null };
  expect(unusedStores(database, both)).toEqual([
    'the data directory holds an embedded PostgreSQL, which is not used since DATABASE_URL is set; its data are not moved to the server',
  ]);
  const servers = { ...database, clickhouseUrl: 'http://ch.internal:8123' };
  expect(unusedStores(servers, both)).toEqual([expect.any(String), expect.stringContaining('CLICKHOUSE_URL')]);
  expect(unusedStores(servers, { postgres: '/nonexistent/postgres', clickhouse: '/nonexistent/clickhouse' })).toEqual([]);
  expect(unusedStores({ databaseUrl: null, clickhouseUrl: null }, both)).toEqual([]);
});
