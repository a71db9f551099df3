import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { ManualClock } from '../../src/platform/clock/clock.ts';
import { temporaryDataDirectory } from '../support/service.ts';
import { copyStores } from '../support/store-templates.ts';
import { temporaryDatabase } from '../support/temporary-database.ts';
import { minuteMs } from '../../src/contract/durations.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 21, 13));
const apiKey = makeApiKey();
let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let app: App;
let projectId: string;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  database = await temporaryDatabase();
  copyStores(directory.path);
  app = await start();
  ({ projectId } = await request<{ projectId: string }>('GET', '/v1/sdk/whoami'));
});
afterAll(async () => {
  await app.close();
  await database?.drop();
  await directory.remove();
});

/** Another process on the same storage. */
function start(): Promise<App> {
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: directory.path,
    SPANWISE_API_KEY: apiKey,
    DATABASE_URL: database?.url,
    SPANWISE_LOG_LEVEL: 'silent',
  });
  return startApp(config, { log: pino({ level: 'silent' }), clock, jobs: false });
}

async function restart(): Promise<void> {
  await app.close();
  app = await start();
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as T;
}

const evaluator = (body: object) =>
  request('POST', `/v1/projects/${projectId}/evaluators`, { type: 'contains', config: { value: 'answer' }, ...body });

async function statuses(slug: string): Promise<string[]> {
  const path = `/v1/projects/${projectId}/evaluations?evaluator=${slug}`;
  const { evaluations } = await request<{ evaluations: Array<{ status: string }> }>('GET', path);
  return evaluations.map(({ status }) => status);
}

async function send(more: object): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  const span = {
    type: 'span',
    spanId: 's',
    name: 'chat',
    kind: 'llm',
    startTime: now,
    endTime: now,
    output: 'an answer',
    ...more,
  };
  await request('POST', '/v1/ingest', span);
  await app.features.traceStore.pipeline.drain();
}

test('queued evaluations, and those running when the process died, run after a restart', async () => {
  await evaluator({ slug: 'restarted', target: 'span' });
  for (const traceId of ['a', 'b']) await send({ traceId });
  expect(await statuses('restarted')).toEqual(['queued', 'queued']);
  const [running] = (await app.features.evaluation.context.db
    .updateTable('evaluations')
    .set({ status: 'running', attempts: 1, lease_until: new Date(clock.now() + minuteMs) })
    .where('trace_id', '=', 'a')
    .returning('id')
    .execute()) as Array<{ id: string }>;
  expect(running).toBeDefined();
  await restart();
  expect((await statuses('restarted')).toSorted()).toEqual(['queued', 'running']);
  // Another process may hold it where several share a database; then its lease has to end first.
  if (database) clock.advance(2 * minuteMs);
  app.features.evaluation.startWorkers?.();
  await vi.waitFor(async () => expect(await statuses('restarted')).toEqual(['completed', 'completed']), 40_000);
});

test('sessions complete across restarts, once', async () => {
  await evaluator({ slug: 'session', target: 'session' });
  await send({ traceId: 'turn', sessionId: 'conversation' });
  clock.advance(29 * minuteMs);
  await restart();
  expect(await app.features.evaluation.completeSessions()).toBe(0);
  clock.advance(minuteMs);
  await restart();
  expect(await app.features.evaluation.completeSessions()).toBe(1);
  await restart();
  expect(await app.features.evaluation.completeSessions()).toBe(0);
  await app.features.evaluation.runPending();
  expect(await statuses('session')).toEqual(['completed']);
});
