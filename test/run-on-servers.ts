// `npm run test:servers`: the tests that can run on servers, on ClickHouse over HTTP and, where they answer, PostgreSQL and Redis. Without
// SPANWISE_TEST_CLICKHOUSE_URL the ClickHouse is one of our own: the real engine behind as much of its HTTP interface as we use.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClickHouseServer } from './support/clickhouse-server.ts';
import { answeringServer } from './support/local-servers.ts';
import { runVitest } from './support/run-vitest.ts';
import { testServers } from './support/test-servers.ts';

/** What ClickHouse over HTTP may answer differently from the embedded engine. */
const onClickHouse = [
  'test/api',
  'src/platform/clickhouse/cluster.test.ts',
  'src/platform/clickhouse/http.test.ts',
  'src/platform/clickhouse/migrate.test.ts',
  'src/platform/clickhouse/with-literals.test.ts',
  'src/features/prompts/prompt-metrics.test.ts',
  'src/features/trace-store/batches',
  'src/features/trace-store/deletion',
  'src/features/trace-store/derivation/stored-traces.test.ts',
  'src/features/trace-store/reconciliation',
  'src/features/traces',
  'src/features/outcomes',
  'src/features/models/count-traces.test.ts',
  'src/features/models/get-model.test.ts',
  'src/features/models/models.test.ts',
  'src/features/models/seal-hours.test.ts',
];

/** What reads PostgreSQL and not ClickHouse: without a PostgreSQL server the same runs are part of `npm test`. */
const onPostgres = [
  'src/platform/postgres/migrate.test.ts',
  'src/platform/postgres/postgres.test.ts',
  'src/platform/postgres/server.test.ts',
  'src/platform/postgres/secret-fingerprint.test.ts',
  'src/platform/change-feed',
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

/** Files of these folders that open no store. */
const withoutStores = [
  'src/features/prompts/prompt-cache.test.ts',
  'src/features/prompts/references.test.ts',
  'src/features/prompts/version-records.test.ts',
  'src/features/trace-store/batches/span-consumers.test.ts',
  'src/features/traces/queries.test.ts',
  'src/features/traces/span-mapper.test.ts',
  'src/features/traces/tree-order.test.ts',
];

/** Query plans, which depend on the engine and not on HTTP: with our own server they are those of `npm test`. */
const plans = ['src/features/traces/million-traces.test.ts'];

const onLimits = ['src/platform/rate-limit/shared'];

const root = join(import.meta.dirname, '..');
const testFiles = globSync('{src,test}/**/*.test.ts', { cwd: root });
/** Files with property tests that run fewer cases in `npm test`. */
const withMoreCases = testFiles.filter((path) => readFileSync(join(root, path), 'utf8').includes('runs({ embedded:'));
const named = [...onClickHouse, ...onPostgres, ...withoutStores, ...plans, ...onLimits];
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

/** The arguments of vitest for the files that the answering servers concern. */
function chosenFiles(): string[] {
  const files = [
    ...onClickHouse,
    ...withMoreCases,
    ...(postgresUrl === null ? [] : onPostgres),
    ...(postgresUrl === null && redisUrl === null ? [] : onLimits),
  ];
  const excluded = [...withoutStores, ...(own === null ? [] : plans), ...(postgresUrl === null ? onPostgres.filter(isFile) : [])];
  return [...files, ...excluded.filter((name) => !files.includes(name)).flatMap((name) => ['--exclude', name])];
}

function isFile(name: string): boolean {
  return name.endsWith('.test.ts');
}
