import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compare, stored } from '../crash/crash-round.ts';
import type { Ledger } from '../crash/crash-round.ts';
import { startClickHouseServer } from '../../support/clickhouse-server.ts';
import type { ClickHouseServer } from '../../support/clickhouse-server.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStore } from '../../support/store-templates.ts';
import { until } from '../../support/until.ts';
import { ask, fillLog, metric, newLedger, sendSpans } from './outage.ts';

/** The client gives up after two seconds, so that a slow server times out within a test. */
const impatient = '?request_timeout=2000';

let server: ClickHouseServer;
let directory: { path: string; remove(): Promise<void> };
let service: Service;
let ledgers = 0;

beforeAll(async () => {
  server = await startClickHouseServer();
  directory = await temporaryDataDirectory();
  copyStore('postgres', join(directory.path, 'postgres'));
  await server.query('CREATE DATABASE spanwise');
  service = await startService({ dataDirectory: directory.path, env: settings(`${server.url}/spanwise${impatient}`) });
});
// Undoes the faults of the previous test.
beforeEach(async () => {
  server.resume();
  await server.start();
  await server.behave({});
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await server.close();
  await directory.remove();
});

function settings(clickhouseUrl: string): Record<string, string> {
  return {
    CLICKHOUSE_URL: clickhouseUrl,
    SPANWISE_WAL_LIMIT_MB: '16',
    SPANWISE_METRICS_PUBLIC: 'true',
    SPANWISE_LOG_LEVEL: 'error',
  };
}

/** Sends a span and waits until it can be read. */
async function ledgerInUse(): Promise<Ledger> {
  const ledger = newLedger(++ledgers);
  expect(await sendSpans(service, ledger, 1)).toMatchObject({ status: 202 });
  compare(ledger, await stored(service, ledger));
  return ledger;
}

/** While ClickHouse does not answer, reads are refused in time and everything else succeeds. */
async function expectReadsRefused(
  { traceId, model }: Ledger,
  projectId: string,
  cookie: string,
  withinMs: number,
): Promise<void> {
  const project = `${service.url}/v1/projects/${projectId}`;
  const reads = [`/traces`, `/traces/${traceId}`, '/sessions', '/models', `/models/${model}`];
  for (const answer of await Promise.all(reads.map((path) => ask(`${project}${path}`, { headers: { cookie } })))) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', error: expect.any(String) as string } });
    expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    expect(answer.took).toBeLessThan(withinMs);
  }
  expect(await ask(`${service.url}/healthz`)).toMatchObject({ status: 200 });
  expect(await ask(`${service.url}/readyz`)).toMatchObject({ status: 200 });
}

async function drained(): Promise<void> {
  await until('the log is drained', async () => (await metric(service, 'spanwise_wal_backlog_records')) === 0);
}

test('stopped: the log fills up, then ingestion answers 503; the log drains by itself', { timeout: 60_000 }, async () => {
  const { cookie, projectId } = await service.signIn();
  const ledger = await ledgerInUse();
  await server.kill();
  expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
  await expectReadsRefused(ledger, projectId, cookie, 5_000);

  const deleting = { method: 'DELETE', headers: { cookie, origin: service.url } };
  expect(await ask(`${service.url}/v1/projects/${projectId}/traces/${ledger.traceId}`, deleting)).toMatchObject({ status: 503 });

  const refused = await fillLog(service, ledger);
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', error: expect.any(String) as string } });
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  expect(ledger.acknowledged.size).toBeGreaterThan(100);
  await expectReadsRefused(ledger, projectId, cookie, 5_000);
  const limit = await metric(service, 'spanwise_wal_backlog_limit_bytes');
  expect(limit).toBe(16 * 1_048_576);
  expect(await metric(service, 'spanwise_wal_backlog_bytes')).toBeGreaterThan(0.9 * limit);
  expect(await metric(service, 'spanwise_wal_backlog_bytes')).toBeLessThanOrEqual(limit);
  expect(await metric(service, 'spanwise_ingest_batch_errors_total')).toBeGreaterThan(0);

  await server.start();
  await until('ingestion continues', async () => (await sendSpans(service, ledger, 1)).status === 202);
  await drained();
  compare(ledger, await stored(service, ledger));
});

test('frozen: connections stay open without an answer', { timeout: 60_000 }, async () => {
  const { cookie, projectId } = await service.signIn();
  const ledger = await ledgerInUse();
  server.freeze();
  expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
  await expectReadsRefused(ledger, projectId, cookie, 12_000);
  server.resume();
  await drained();
  compare(ledger, await stored(service, ledger));
});

test('slow: an insert that completes after the timeout of the client is not applied twice', { timeout: 60_000 }, async () => {
  const { cookie, projectId } = await service.signIn();
  const ledger = await ledgerInUse();
  await server.behave({ delayMs: 4_000 });
  for (let request = 0; request < 5; request++) {
    expect(await sendSpans(service, ledger, 7)).toMatchObject({ status: 202 });
  }
  await expectReadsRefused(ledger, projectId, cookie, 12_000);
  const errors = await metric(service, 'spanwise_ingest_batch_errors_total');
  await until('a batch is tried again', async () => (await metric(service, 'spanwise_ingest_batch_errors_total')) > errors + 1);
  await server.behave({});
  await drained();
  compare(ledger, await stored(service, ledger));
});

test('connections that break during inserts, before and after the rows were stored', { timeout: 60_000 }, async () => {
  const ledger = await ledgerInUse();
  const errors = await metric(service, 'spanwise_ingest_batch_errors_total');
  // A batch inserts calls, traces and spans in this order and starts over when it is repeated.
  await server.behave({
    breaks: [
      { after: 0, stored: true },
      { after: 1, stored: false },
      { after: 2, stored: false },
      { after: 2, stored: true },
    ],
  });
  for (let request = 0; request < 10; request++) {
    expect(await sendSpans(service, ledger, 20, 2_000)).toMatchObject({ status: 202 });
  }
  await drained();
  expect(await metric(service, 'spanwise_ingest_batch_errors_total')).toBeGreaterThanOrEqual(errors + 4);
  compare(ledger, await stored(service, ledger));
});

test('startup waits for ClickHouse and logs it; shutdown does not wait', { timeout: 60_000 }, async () => {
  const ledger = await ledgerInUse();
  await server.kill();
  expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
  expect(await service.stop('SIGTERM')).toBe(0);
  await server.start();

  // A server that answers with an error fails the start at once.
  const refused = await failedStart(`${server.url.replace('//', '//somebody:hunter2@')}/nowhere`);
  expect(refused.exitCode).toBe(1);
  expect(refused.printed).toMatch(/^spanwise cannot start: CLICKHOUSE_URL: ClickHouse at \S+ has no database nowhere; .*\n$/);
  expect(refused.printed).not.toMatch('hunter2');

  await server.kill();
  let printed = '';
  const starting = startService({
    dataDirectory: directory.path,
    // With the default timeouts.
    env: { ...settings(`${server.url}/spanwise`), SPANWISE_LOG_LEVEL: 'warn' },
    onOutput: (text) => (printed += text),
  });
  await until('it says what it waits for', () => /CLICKHOUSE_URL: .* does not answer .* waiting/.test(printed));
  await server.start();
  service = await starting;
  // Events that the previous process left in the log.
  compare(ledger, await stored(service, ledger));

  server.freeze();
  expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
  const startedAt = performance.now();
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

async function failedStart(clickhouseUrl: string): Promise<{ exitCode: number | null; printed: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SPANWISE_PORT: '0',
      SPANWISE_DATA_DIR: directory.path,
      CLICKHOUSE_URL: clickhouseUrl,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { exitCode, printed };
}
