// `npm run test:servers`: the tests that can run on servers, on ClickHouse over HTTP and, where they answer, PostgreSQL and Redis. Without
// SPANWISE_TEST_CLICKHOUSE_URL the ClickHouse is one of our own: the real engine behind as much of its HTTP interface as we use.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClickHouseServer } from './support/clickhouse-server.ts';
import { answeringServer } from './support/local-servers.ts';
import { isNightly } from './support/runs.ts';
import { runVitest } from './support/run-vitest.ts';
import { testServers } from './support/test-servers.ts';

/** The transport of ClickHouse over HTTP. Its statements run with bound parameters in `npm test` (test/support/both-ways.ts). */
const transport = [
  'src/platform/clickhouse/cluster.test.ts',
  'src/platform/clickhouse/http.test.ts',
  'src/platform/clickhouse/migrate.test.ts',
  'src/platform/clickhouse/with-literals.test.ts',
];

/** What is written, read, changed and deleted over HTTP: spans, scores, outcomes, rollups, prices, nodes of the graph. */
const onClickHouse = [
  'src/features/figures/seal-hours.test.ts',
  'src/features/outcomes/report-outcomes.test.ts',
  'src/features/trace-store/pipeline/pipeline.test.ts',
  'src/features/trace-store/deletion/delete-payloads.test.ts',
  'src/features/trace-store/graph-backfill',
  'src/features/trace-store/reconciliation/reconcile-traces.test.ts',
  'src/features/traces/get-trace.test.ts',
  'test/api/ingestion.test.ts',
  'test/api/repricing.test.ts',
  'test/api/trace-deletion.test.ts',
];

/** What reads PostgreSQL and not ClickHouse: without a PostgreSQL server the same runs are part of `npm test`. */
const onPostgres = [
  'src/platform/postgres/change-feed.test.ts',
  'src/platform/postgres/migrate.test.ts',
  'src/platform/postgres/postgres.test.ts',
  'src/platform/postgres/server.test.ts',
  'src/platform/postgres/secret-fingerprint.test.ts',
  'src/features/audit/chain.test.ts',
  'src/features/datasets/simulated-runs.test.ts',
  'src/features/identity/change-password.test.ts',
  'src/features/identity/sign-in.test.ts',
  'src/features/prompts',
  'src/features/trace-store/log/usage-store.test.ts',
  'test/api/audit-entries.test.ts',
  'test/api/evaluators.test.ts',
  'test/api/guardrails.test.ts',
  'test/api/policies.test.ts',
  'test/api/policy-apply.test.ts',
  'test/api/policy-changes.property.test.ts',
  'test/api/policy-rounds.test.ts',
];

/** In `npm run test:nightly` also what reads ClickHouse, and every file with random cases. */
const nightly = [
  'test/api',
  'test/security',
  'src/features/figures',
  'src/features/models',
  'src/features/outcomes',
  'src/features/trace-store',
  'src/features/traces',
];

const onLimits = ['src/platform/rate-limit/shared'];

const root = join(import.meta.dirname, '..');
const testFiles = globSync('{src,test}/**/*.test.ts', { cwd: root });
const random = testFiles.filter((path) => readFileSync(join(root, path), 'utf8').includes('runs({ usual:'));
const named = [...transport, ...onClickHouse, ...onPostgres, ...nightly, ...onLimits];
const missing = named.filter((name) => !testFiles.some((path) => path.includes(name)));
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
process.stdout.write(
  `PostgreSQL: ${postgresUrl === null ? 'embedded; none answers on 127.0.0.1:5432, so what uses it alone is left to npm test' : shown(postgresUrl)}\n`,
);
process.stdout.write(`Redis: ${redisUrl === null ? 'none answers on 127.0.0.1:6379' : shown(redisUrl)}\n`);

const given = process.argv.slice(2);
process.exitCode = await runVitest(given.length > 0 ? given : chosenFiles(), {
  SPANWISE_TEST_CLICKHOUSE_URL: clickhouseUrl,
  ...(postgresUrl === null ? {} : { SPANWISE_TEST_DATABASE_URL: postgresUrl }),
  ...(redisUrl === null ? {} : { SPANWISE_TEST_REDIS_URL: redisUrl }),
});
await own?.close();

/** The files that the answering servers concern. */
function chosenFiles(): string[] {
  return [
    ...transport,
    ...onClickHouse,
    ...(isNightly ? [...nightly, ...random] : []),
    ...(postgresUrl === null ? [] : onPostgres),
    ...(postgresUrl === null && redisUrl === null ? [] : onLimits),
  ];
}
