import { requestDecoder } from '../ingest/index.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { copyStore } from '../../../test/support/store-templates.ts';
import { temporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { createServer, Readiness, sessionCookie } from '../../platform/http/index.ts';
import type { Authenticator, Tenant } from '../../platform/http/index.ts';
import { send } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { migratePostgres, openPostgres } from '../../platform/postgres/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { LocalBatchBuilder, Pipeline } from '../trace-store/index.ts';
import { readEvents } from '../ingest/index.ts';
import type { UsageStore } from '../trace-store/index.ts';
import type { RunItemsHook } from './datasets-context.ts';
import { open } from './index.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
const migrations = join(import.meta.dirname, '../../../migrations/postgres');

export interface TestProject extends Tenant {
  key: string;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** The caller: `nobody`, a session with this role in the project's organization, or (default) the project's key. */
  by?: 'nobody' | 'key' | Role;
}

export interface DatasetsService {
  url: string;
  db: Database;
  clock: ManualClock;
  temporaryDirectory: string;
  /** Receives run items; tests may replace it. */
  hook: { onRunItemsAdded: RunItemsHook };
  /** Creates a project in a new organization, with a key and one user for each role. */
  project(plan?: Plan): Promise<TestProject>;
  request(project: TestProject, method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Sends native events, as to `POST /v1/ingest`; resolves once they are readable. */
  ingest(project: TestProject, events: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** The dataset routes over real HTTP, PostgreSQL, ClickHouse and the real pipeline; a stub authenticates callers. */
export async function openDatasetsService(): Promise<DatasetsService> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-datasets-'));
  const dataDirectory = join(directory, 'postgres');
  const database = await temporaryDatabase();
  if (database === null) copyStore('postgres', dataDirectory);
  let closing = false;
  const onError = (error: Error) => {
    // While closing, idle connections report that their database was dropped.
    if (!closing) throw error;
  };
  const [postgres, analytics] = await Promise.all([
    openPostgres({ url: database?.url ?? null, dataDirectory, onError }),
    openTestClickHouse(),
  ]);
  await migratePostgres(postgres, migrations);
  const { clickhouse } = analytics;
  const clock = new ManualClock(nowMs);
  const usage = { count: () => Promise.resolve(), highestVersion: () => Promise.resolve(0) } as unknown as UsageStore;
  const pipeline = await Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse, requestDecoder()),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log: new MemoryLog(),
    logId: 'datasets',
    usage,
    clock,
    onWriteError: onError,
    markHours: () => Promise.resolve(),
    batchIntervalMs: 3_600_000,
  });
  const projects: TestProject[] = [];
  const app = await createServer({
    log: pino({ level: 'silent' }),
    authenticator: stubAuthenticator(projects),
    publicOrigin: () => 'http://localhost',
    readiness: new Readiness(),
  });
  const hook = { onRunItemsAdded: (() => Promise.resolve()) as RunItemsHook };
  const onRunItemsAdded: RunItemsHook = (...parameters) => hook.onRunItemsAdded(...parameters);
  const feature = open({ postgres, clickhouse, clock, directory: { temporary: directory } }, { onRunItemsAdded });
  await feature.routes?.(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    db: postgres.db,
    clock,
    temporaryDirectory: directory,
    hook,
    async project(plan = 'scale') {
      const project = await insertProject(postgres.db, projects.length + 1, plan);
      projects.push(project);
      return project;
    },
    request: (project, method, path, { body, headers = {}, by = 'key' } = {}) =>
      send(url + path, {
        method,
        headers: { ...credentials(by, project), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    async ingest({ projectId, organizationId }, events) {
      const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
      const { batch, rejected } = readEvents(body, { nowMs, oldestMs: nowMs - 365 * 86_400_000, bodyKey: projectId });
      if (rejected[0]) throw new Error(rejected[0].error);
      await pipeline.accept({ projectId, organizationId }, batch, 0);
      await pipeline.drain();
    },
    async close() {
      closing = true;
      await app.close();
      await feature.close?.();
      await pipeline.close();
      await analytics.close();
      await postgres.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function insertProject(database: Database, number: number, plan: Plan): Promise<TestProject> {
  const digits = String(number).padStart(12, '0');
  const organizationId = `0197b000-0000-7000-8000-${digits}`;
  const projectId = `0197a000-0000-7000-8000-${digits}`;
  const db = database.withTables<{ organizations: Record<string, unknown>; projects: Record<string, unknown> }>();
  const named = { name: `n${number}`, slug: `n${number}`, created_at: new Date(nowMs) };
  await db
    .insertInto('organizations')
    .values({ id: organizationId, plan, ...named })
    .execute();
  await db
    .insertInto('projects')
    .values({ id: projectId, organization_id: organizationId, ...named })
    .execute();
  return { projectId, organizationId, plan, key: `spw_${digits}` };
}

function credentials(by: NonNullable<RequestOptions['by']>, project: TestProject): Record<string, string> {
  if (by === 'nobody') return {};
  if (by === 'key') return { 'x-api-key': project.key };
  return { cookie: `${sessionCookie}=${by}.${project.organizationId}` };
}

function stubAuthenticator(projects: readonly TestProject[]): Authenticator {
  return {
    byApiKey: (secret) => {
      const project = projects.find(({ key }) => key === secret);
      if (!project) return Promise.resolve(null);
      const names = { keyName: 'key', keyPrefix: 'spw_', projectName: 'project', organizationSlug: 'organization' };
      return Promise.resolve({ kind: 'key', ...project, keyId: project.projectId, ...names });
    },
    byToken: () => Promise.resolve(null),
    bySession: (secret) =>
      Promise.resolve({ kind: 'user', userId: secret, email: '', name: '', via: 'session', sessionId: secret }),
    projectFor: (userId, projectId) => {
      const [role, organizationId] = userId.split('.') as [Role, string];
      const project = projects.find(
        (candidate) => candidate.projectId === projectId && candidate.organizationId === organizationId,
      );
      if (!project) return Promise.resolve(null);
      return Promise.resolve({ tenant: { projectId, organizationId, plan: project.plan }, role });
    },
    organizationFor: () => Promise.resolve(null),
    rolesOf: () => Promise.resolve([]),
  };
}
