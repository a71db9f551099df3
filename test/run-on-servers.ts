// `npm run test:servers`: the tests that can run on servers, on ClickHouse over HTTP and, where they answer, PostgreSQL and Redis. Without
// SPANWISE_TEST_CLICKHOUSE_URL the ClickHouse is one of our own: the real engine behind as much of its HTTP interface as we use.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { startClickHouseServer } from './support/clickhouse-server.ts';
import { answeringServer } from './support/local-servers.ts';
import { runVitest } from './support/run-vitest.ts';
import { testServers } from './support/test-servers.ts';

/** What a server may answer differently from the embedded engines. Property tests have their full count here (test/support/runs.ts). */
const files = [
  'test/api',
  'src/platform/clickhouse/cluster.test.ts',
  'src/platform/clickhouse/http.test.ts',
  'src/platform/clickhouse/migrate.test.ts',
  'src/platform/clickhouse/with-literals.test.ts',
  'src/platform/postgres/migrate.test.ts',
  'src/platform/postgres/postgres.test.ts',
  'src/platform/postgres/server.test.ts',
  'src/platform/postgres/secret-fingerprint.test.ts',
  'src/platform/change-feed',
  'src/platform/rate-limit/shared',
  'src/features/audit/chain.test.ts',
  'src/features/identity/sign-in.test.ts',
  'src/features/prompts',
  'src/features/trace-store/batches',
  'src/features/trace-store/derivation/stored-traces.test.ts',
  'src/features/trace-store/log',
  'src/features/trace-store/reconciliation',
  'src/features/traces',
  'src/features/models/count-traces.test.ts',
  'src/features/models/get-model.test.ts',
  'src/features/models/models.test.ts',
  'src/features/models/seal-hours.test.ts',
];

const testFiles = globSync('{src,test}/**/*.test.ts', { cwd: join(import.meta.dirname, '..') });
const missing = files.filter((named) => !testFiles.some((path) => path.includes(named)));
if (missing.length > 0) throw new Error(`no test file is named ${missing.join(', ')}`);

/** A URL without what is secret in it. */
function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

const own = testServers.clickhouse === null ? await startClickHouseServer() : null;
const clickhouseUrl = testServers.clickhouse ?? own?.url ?? '';
const postgresUrl = testServers.postgres ?? (await answeringServer('postgres'));
const redisUrl = testServers.redis ?? (await answeringServer('redis'));
process.stdout.write(`ClickHouse: ${shown(clickhouseUrl)}${own ? ', our own server in front of chDB' : ''}\n`);
process.stdout.write(`PostgreSQL: ${postgresUrl === null ? 'embedded; none answers on 127.0.0.1:5432' : shown(postgresUrl)}\n`);
process.stdout.write(`Redis: ${redisUrl === null ? 'none answers on 127.0.0.1:6379' : shown(redisUrl)}\n`);

const given = process.argv.slice(2);
process.exitCode = await runVitest(given.length > 0 ? given : files, {
  SPANWISE_TEST_CLICKHOUSE_URL: clickhouseUrl,
  ...(postgresUrl === null ? {} : { SPANWISE_TEST_DATABASE_URL: postgresUrl }),
  ...(redisUrl === null ? {} : { SPANWISE_TEST_REDIS_URL: redisUrl }),
});
await own?.close();
