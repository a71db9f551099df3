import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { ModelDetail, ModelList, Overview, TimelineQuery } from '../../contract/models.ts';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import { sessionCookie } from '../../platform/http/index.ts';
import type { Server, Tenant } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { HourStates, sealHours } from '../figures/index.ts';
import type { FiguresContext } from '../figures/index.ts';
import type { IngestBatch } from '../records/index.ts';
import { modelRoutes } from './routes.ts';

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

/**
 * The model routes on a real ClickHouse, a real PostgreSQL and the real pipeline; authentication is a stub.
 *
 * @param moreRoutes adds routes of other features to them
 */
export async function openModelsService(
  moreRoutes: (app: Server, context: FiguresContext) => void = () => undefined,
): Promise<ModelsService> {
  const { clickhouse, close: closeClickHouse } = await openTestClickHouse();
  const { postgres, close: closePostgres } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const hourStates = new HourStates(postgres.db, clock);
  const pipeline = await openTestPipeline(clickhouse, clock, { markHours: (hours) => hourStates.mark(hours) });
  const projects = new TestProjects();
  const context = { clickhouse, hourStates, clock };
  const addRoutes = (app: Server) => {
    modelRoutes(app, context);
    moreRoutes(app, context);
  };
  const http = await openHttpService(addRoutes, { authenticator: projects.authenticator });
  const request: ModelsService['request'] = (path, headers = {}) => http.request(path, { headers });
  const read = async (project: Tenant, path: string, query: TimelineQuery = {}): Promise<unknown> => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    const { status, body } = await request(`/v1/projects/${project.projectId}${path}?${new URLSearchParams(parameters)}`, {
      cookie: cookieOf(project),
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    clickhouse,
    db: postgres.db,
    hourStates,
    clock,
    project: (plan) => projects.create(plan),
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
    // The list has no timeline.
    list: async (project, query = {}) => (await read(project, '/models', omit(query, 'interval'))) as ModelList,
    overview: async (project, query) => (await read(project, '/overview', query)) as Overview,
    request,
    async close() {
      await http.close();
      await pipeline.close();
      await closePostgres();
      await closeClickHouse();
    },
  };
}

function omit<T extends object, Key extends keyof T>(from: T, key: Key): Omit<T, Key> {
  const { [key]: _left, ...rest } = from;
  return rest;
}
