import { requestDecoder } from '../ingest/index.ts';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { createServer, Readiness, sessionCookie } from '../../platform/http/index.ts';
import type { Authenticator, Tenant } from '../../platform/http/index.ts';
import { LocalBatchBuilder, Pipeline } from '../trace-store/index.ts';
import type { ScoreRecord, SpanRecord, UsageStore } from '../trace-store/index.ts';
import { emptyScore, emptySpan } from '../trace-store/records.fixture.ts';
import { traceRoutes } from './routes.ts';
import { SpanMapper } from './span-mapper.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
export const nowNs = BigInt(nowMs) * 1_000_000n;

export interface TracesService {
  clickhouse: ClickHouse;
  clock: ManualClock;
  /** Creates a project in a new organization, with `key` and one user for each role. */
  project(plan?: Plan): TestProject;
  /** Stores events through the pipeline, and waits until they can be read. */
  store(
    project: TestProject,
    events: { spans?: Array<Partial<SpanRecord>>; scores?: Array<Partial<ScoreRecord>> },
  ): Promise<void>;
  /** Requests a path of the project, with its API key by default. */
  request(project: TestProject, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface TestProject extends Tenant {
  key: string;
}

interface RequestOptions {
  method?: string;
  /** `nobody`, a role in the caller's organization, or, by default, its API key. */
  by?: 'nobody' | 'key' | Role;
  /** The project whose credentials are sent; by default the requested one. */
  caller?: TestProject;
}

interface Answer {
  status: number;
  /** Parsed JSON, untyped: the tests assert on the fields that they expect. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Headers;
}

/** The routes of this feature over real HTTP, a real ClickHouse and the real pipeline; authentication is a stub. */
export async function openTracesService(): Promise<TracesService> {
  const { clickhouse, close } = await openTestClickHouse();
  const clock = new ManualClock(nowMs);
  const log = new MemoryLog();
  const usage = { count: () => Promise.resolve(), highestVersion: () => Promise.resolve(0) } as unknown as UsageStore;
  const pipeline = await Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse, requestDecoder()),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log,
    logId: 'traces',
    usage,
    clock,
    onWriteError: (error) => {
      throw error;
    },
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
  const mapper = new SpanMapper();
  traceRoutes(app, { clickhouse, clock, pipeline, mapper });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    clickhouse,
    clock,
    project(plan = 'scale') {
      const number = String(projects.length + 1).padStart(12, '0');
      const project = {
        projectId: `0197a000-0000-7000-8000-${number}`,
        organizationId: `0197b000-0000-7000-8000-${number}`,
        plan,
        key: `spw_${number}`,
      };
      projects.push(project);
      return project;
    },
    async store({ projectId, organizationId }, { spans = [], scores = [] }) {
      const batch = {
        spans: spans.map((span) => ({ ...emptySpan, startNs: nowNs, ...span })),
        scores: scores.map((score) => ({ ...emptyScore, timestampMs: nowMs, ...score })),
      };
      await pipeline.accept({ projectId, organizationId }, batch, 0);
      await pipeline.drain();
    },
    async request(project, path, { method = 'GET', by = 'key', caller = project } = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/projects/${project.projectId}${path}`, {
        method,
        headers: credentials(by, caller),
      });
      const text = await response.text();
      return { status: response.status, text, body: text === '' ? null : JSON.parse(text), headers: response.headers };
    },
    async close() {
      await app.close();
      await mapper.close();
      await pipeline.close();
      await close();
    },
  };
}

function credentials(by: NonNullable<RequestOptions['by']>, caller: TestProject): Record<string, string> {
  if (by === 'nobody') return {};
  if (by === 'key') return { 'x-api-key': caller.key };
  return { cookie: `${sessionCookie}=${by}.${caller.organizationId}` };
}

function stubAuthenticator(projects: readonly TestProject[]): Authenticator {
  return {
    byApiKey: (secret) => {
      const project = projects.find(({ key }) => key === secret);
      if (!project) return Promise.resolve(null);
      const { projectId, organizationId, plan } = project;
      const names = {
        keyId: projectId,
        keyName: 'key',
        keyPrefix: 'spw_',
        projectName: 'project',
        organizationSlug: 'organization',
      };
      return Promise.resolve({ kind: 'key', projectId, organizationId, plan, ...names });
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
