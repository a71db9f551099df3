import { requestDecoder } from '../ingest/index.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { migrationsDirectory, openTestClickHouse } from '../../../test/support/analytics.ts';
import { copyStore } from '../../../test/support/store-templates.ts';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import type { ModelDetail, ModelList, Overview, TimelineQuery } from '../../contract/models.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { createServer, Readiness, sessionCookie } from '../../platform/http/index.ts';
import type { Authenticator, Tenant } from '../../platform/http/index.ts';
import { migratePostgres, openPostgres } from '../../platform/postgres/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { LocalBatchBuilder, Pipeline } from '../trace-store/index.ts';
import type { IngestBatch, UsageStore } from '../trace-store/index.ts';
import { HourStates } from './hour-states.ts';
import { modelRoutes } from './routes.ts';
import { sealHours } from './seal-hours.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10, 30, 15, 250);

export interface ModelsService {
  clickhouse: ClickHouse;
  db: Database;
  hourStates: HourStates;
  clock: ManualClock;
  /** Creates a project in a new organization. */
  project(plan?: Plan): Tenant;
  /** Stores events through the pipeline, and waits until they can be read. */
  store(project: Tenant, batch: IngestBatch): Promise<void>;
  /** Deletes a trace as its route does. */
  deleteTrace(project: Tenant, traceId: string): Promise<boolean>;
  /** Advances the clock until hours are due, then seals all of them; `days`, the default, seals days too. */
  sealAll(what?: 'hours' | 'days'): Promise<void>;
  detail(project: Tenant, model: string, query?: TimelineQuery): Promise<ModelDetail>;
  list(project: Tenant, query?: TimelineQuery): Promise<ModelList>;
  overview(project: Tenant, query?: TimelineQuery): Promise<Overview>;
  request(path: string, headers?: Record<string, string>): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

export const cookieOf = (project: Tenant, role: Role = 'viewer') => `${sessionCookie}=${role}.${project.organizationId}`;

/** The model routes on a real ClickHouse, a real PostgreSQL and the real pipeline; authentication is a stub. */
export async function openModelsService(): Promise<ModelsService> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-models-'));
  const dataDirectory = join(directory, 'postgres');
  copyStore('postgres', dataDirectory);
  const { clickhouse, close } = await openTestClickHouse();
  const postgres = await openPostgres({
    url: null,
    dataDirectory,
    onError: (error) => {
      throw error;
    },
  });
  await migratePostgres(postgres, join(migrationsDirectory, 'postgres'));
  const clock = new ManualClock(nowMs);
  const hourStates = new HourStates(postgres.db, clock);
  const usage = { count: () => Promise.resolve(), highestVersion: () => Promise.resolve(0) } as unknown as UsageStore;
  const pipeline = await Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse, requestDecoder()),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log: new MemoryLog(),
    logId: 'models',
    usage,
    clock,
    onWriteError: (error) => {
      throw error;
    },
    markHours: (hours) => hourStates.mark(hours),
    batchIntervalMs: 3_600_000,
  });
  const projects: Tenant[] = [];
  const app = await createServer({
    log: pino({ level: 'silent' }),
    authenticator: stubAuthenticator(projects),
    publicOrigin: () => 'http://localhost',
    readiness: new Readiness(),
  });
  modelRoutes(app, { clickhouse, hourStates, clock });
  const request: ModelsService['request'] = async (path, headers = {}) => {
    const response = await app.inject({ method: 'GET', url: path, headers });
    return { status: response.statusCode, body: response.json() };
  };
  const read = async (project: Tenant, path: string, query: TimelineQuery = {}): Promise<unknown> => {
    const { status, body } = await request(
      `/v1/projects/${project.projectId}${path}?${new URLSearchParams(Object.entries(query))}`,
      {
        cookie: cookieOf(project),
      },
    );
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    clickhouse,
    db: postgres.db,
    hourStates,
    clock,
    project(plan = 'scale') {
      const number = String(projects.length + 1).padStart(12, '0');
      const project = {
        projectId: `0197a000-0000-7000-8000-${number}`,
        organizationId: `0197b000-0000-7000-8000-${number}`,
        plan,
      };
      projects.push(project);
      return project;
    },
    async store({ projectId, organizationId }, batch) {
      await pipeline.accept({ projectId, organizationId }, batch, 0);
      await pipeline.drain();
    },
    deleteTrace: (project, traceId) => pipeline.deleteTrace(project, traceId),
    async sealAll(what = 'days') {
      clock.advance(10_000);
      const hoursAlone = Object.assign(new HourStates(postgres.db, clock), { dueDays: () => Promise.resolve([]) });
      // New states, which have not searched for days yet.
      const states = what === 'days' ? hourStates.at(clock) : hoursAlone;
      while ((await sealHours({ clickhouse, hourStates: states, clock })) > 0);
    },
    detail: async (project, model, query) => (await read(project, `/models/${encodeURIComponent(model)}`, query)) as ModelDetail,
    list: async (project, query) => (await read(project, '/models', query)) as ModelList,
    overview: async (project, query) => (await read(project, '/overview', query)) as Overview,
    request,
    async close() {
      await app.close();
      await pipeline.close();
      await postgres.close();
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Sessions are `<role>.<organization>`; `spw_<project>` is a key. */
function stubAuthenticator(projects: readonly Tenant[]): Authenticator {
  return {
    byApiKey: (secret) => {
      const project = projects.find(({ projectId }) => secret === `spw_${projectId}`);
      if (!project) return Promise.resolve(null);
      const names = {
        keyId: project.projectId,
        keyName: 'key',
        keyPrefix: 'spw_',
        projectName: 'project',
        organizationSlug: 'organization',
      };
      return Promise.resolve({ kind: 'key', ...project, ...names });
    },
    byToken: () => Promise.resolve(null),
    bySession: (secret) =>
      Promise.resolve({ kind: 'user', userId: secret, email: '', name: '', via: 'session', sessionId: secret }),
    projectFor: (userId, projectId) => {
      const [role, organizationId] = userId.split('.') as [Role, string];
      const project = projects.find(
        (candidate) => candidate.projectId === projectId && candidate.organizationId === organizationId,
      );
      return Promise.resolve(project ? { tenant: project, role } : null);
    },
    organizationFor: () => Promise.resolve(null),
    rolesOf: () => Promise.resolve([]),
  };
}
