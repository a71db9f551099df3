import { join } from 'node:path';
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import type { App, AppOptions } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { ManualClock } from '../../src/platform/clock/clock.ts';
import { copyStore } from './store-templates.ts';
import { temporaryDataDirectory } from './service.ts';
import { temporaryClickHouse } from './temporary-clickhouse.ts';
import { temporaryDatabase } from './temporary-database.ts';

/** The whole service in this process, with a manual clock and without background jobs. */
export interface TestApp extends App {
  pipeline: App['features']['traceStore']['pipeline'];
  hourStates: App['features']['figures']['hourStates'];
  evaluation: App['features']['evaluation'];
  identity: App['features']['identity']['context'];
  clock: ManualClock;
  apiKey: string;
  /** A signed-in owner's cookie. */
  cookie: string;
  projectId: string;
  organizationId: string;
  /** A GET with the owner's cookie; `path` begins with `/v1`. */
  get(path: string): Promise<{ status: number; body: unknown }>;
  /** Sends native events to `POST /v1/ingest`; resolves when they can be read. */
  send(events: readonly object[]): Promise<{ accepted: number; rejected: unknown[] }>;
}

/** The first owner. */
export const owner = { email: 'owner@example.com', password: 'correct horse battery staple' };

/** Starts the service on new stores: on the servers that the environment names, else embedded. */
export async function startTestApp(
  startMs: number,
  environment: Readonly<Record<string, string>> = {},
  options: Pick<AppOptions, 'targetNetwork'> = {},
): Promise<TestApp> {
  const directory = await temporaryDataDirectory();
  const clock = new ManualClock(startMs);
  const apiKey = makeApiKey();
  const database = await temporaryDatabase();
  const analytics = await temporaryClickHouse();
  if (database === null) copyStore('postgres', join(directory.path, 'postgres'));
  if (analytics === null) copyStore('clickhouse', join(directory.path, 'clickhouse'));
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: directory.path,
    SPANWISE_ADMIN_EMAIL: owner.email,
    SPANWISE_ADMIN_PASSWORD: owner.password,
    SPANWISE_API_KEY: apiKey,
    DATABASE_URL: database?.url,
    CLICKHOUSE_URL: analytics?.url,
    SPANWISE_LOG_LEVEL: 'silent',
    ...environment,
  });
  const app = await startApp(config, { log: pino({ level: 'silent' }), clock, jobs: false, ...options });
  const { pipeline } = app.features.traceStore;
  const login = await fetch(`${app.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const get = async (path: string) => {
    const answer = await fetch(`${app.url}${path}`, { headers: { cookie } });
    return { status: answer.status, body: await answer.json() };
  };
  const session = (await get('/v1/auth/session')).body as {
    organizations: Array<{ id: string; projects: Array<{ id: string }> }>;
  };
  const organizationId = session.organizations[0]?.id ?? '';
  const projectId = session.organizations[0]?.projects[0]?.id ?? '';
  return {
    ...app,
    pipeline,
    hourStates: app.features.figures.hourStates,
    evaluation: app.features.evaluation,
    identity: app.features.identity.context,
    clock,
    apiKey,
    cookie,
    projectId,
    organizationId,
    get,
    send: async (events) => {
      const answer = await fetch(`${app.url}/v1/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
        body: events.map((event) => JSON.stringify(event)).join('\n'),
      });
      await pipeline.drain();
      return (await answer.json()) as { accepted: number; rejected: unknown[] };
    },
    close: async () => {
      await app.close();
      await database?.drop();
      await analytics?.drop();
      await directory.remove();
    },
  };
}
