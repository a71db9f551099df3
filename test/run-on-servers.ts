// `npm run test:servers`: the tests that can run on servers, on ClickHouse over HTTP and, where they answer, PostgreSQL and Redis. Without
// SPANWISE_TEST_CLICKHOUSE_URL the ClickHouse is one of our own: the real engine behind as much of its HTTP interface as we use.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startClickHouseServer } from './support/clickhouse-server.ts';

const root = join(import.meta.dirname, '..');

/** What reads and writes ClickHouse, in some minutes; the longest property tests of the models run on chDB alone. */
const files = [
  'test/api',
  'src/platform/clickhouse',
  'src/platform/postgres/postgres.test.ts',
  'src/platform/postgres/server.test.ts',
  'src/platform/postgres/secret-fingerprint.test.ts',
  'src/platform/rate-limit',
  'src/features/identity/sign-in.test.ts',
  'src/features/ingest/pipeline',
  'src/features/ingest/settle',
  'src/features/traces',
  'src/features/models/get-model.test.ts',
  'src/features/models/seal-hours.test.ts',
  'test/replicas',
];

/** The last of its databases, which nobody else uses. */
const localRedis = 'redis://127.0.0.1:6379/15';
const localPostgres = 'postgres://postgres@127.0.0.1:5432/test';

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const settle = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket
      .setTimeout(2_000, () => settle(false))
      .on('connect', () => settle(true))
      .on('error', () => settle(false));
  });
}

/** A URL without what is secret in it. */
function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

const named = (variable: string) => process.env[variable] || null;
const givenClickHouse = named('SPANWISE_TEST_CLICKHOUSE_URL');
const own = givenClickHouse === null ? await startClickHouseServer() : null;
const clickhouseUrl = givenClickHouse ?? own?.url ?? '';
const postgresUrl = named('SPANWISE_TEST_DATABASE_URL') ?? ((await answers('127.0.0.1', 5432)) ? localPostgres : null);
const redisUrl = named('SPANWISE_TEST_REDIS_URL') ?? ((await answers('127.0.0.1', 6379)) ? localRedis : null);
process.stdout.write(`ClickHouse: ${shown(clickhouseUrl)}${own ? ', our own server in front of chDB' : ''}\n`);
process.stdout.write(`PostgreSQL: ${postgresUrl === null ? 'embedded; none answers on 127.0.0.1:5432' : shown(postgresUrl)}\n`);
process.stdout.write(`Redis: ${redisUrl === null ? 'none answers on 127.0.0.1:6379' : shown(redisUrl)}\n`);

const child = spawn(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(process.argv.length > 2 ? process.argv.slice(2) : files)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SPANWISE_TEST_CLICKHOUSE_URL: clickhouseUrl,
      ...(postgresUrl === null ? {} : { SPANWISE_TEST_DATABASE_URL: postgresUrl }),
      ...(redisUrl === null ? {} : { SPANWISE_TEST_REDIS_URL: redisUrl }),
    },
  },
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  void own?.close();
});
