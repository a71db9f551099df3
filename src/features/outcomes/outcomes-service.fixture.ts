import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { TokenBuckets } from '../../platform/rate-limit/index.ts';
import { readEvents } from '../ingest/index.ts';
import type { Pipeline } from '../trace-store/index.ts';
import { outcomeRate, outcomeRoutes } from './routes.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10, 30);

export interface OutcomesService {
  clickhouse: ClickHouse;
  clock: ManualClock;
  pipeline: Pipeline;
  /** Thrown instead of accepting outcomes while it is set. */
  failure: unknown;
  /** Creates a project in a new organization, with a key and one user for each role. */
  project(plan?: Plan): TestProject;
  /** Stores native events; `drain` makes them readable. */
  send(project: TestProject, events: readonly object[]): Promise<void>;
  /** `POST /v1/ingest/outcomes`, with the project's key by default. */
  report(project: TestProject, body: unknown, by?: By): Promise<Answer>;
  /** `GET /v1/projects/{id}/outcomes/...`, by a viewer. */
  read(project: TestProject, path: string, by?: By): Promise<Answer>;
  close(): Promise<void>;
}

/** The routes of this feature over real HTTP, a real ClickHouse and the real pipeline; authentication is a stub. */
export async function openOutcomesService(): Promise<OutcomesService> {
  const { clickhouse, close } = await openTestClickHouse();
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  const projects = new TestProjects();
  const buckets = new TokenBuckets({ ...outcomeRate, clock });
  const accept: Pipeline['accept'] = (...accepted) =>
    service.failure === null ? pipeline.accept(...accepted) : Promise.reject(service.failure);
  const context = { clickhouse, clock, pipeline: { accept } };
  const http = await openHttpService((app) => outcomeRoutes(app, context, buckets), { authenticator: projects.authenticator });
  const service: OutcomesService = {
    clickhouse,
    clock,
    pipeline,
    failure: null,
    project: (plan) => projects.create(plan),
    async send({ projectId, organizationId }, events) {
      if (events.length === 0) return;
      const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
      const read = readEvents(body, { nowMs: clock.now(), oldestMs: clock.now() - 365 * 86_400_000, bodyKey: 'test' });
      if (read.rejected.length > 0) throw new Error(JSON.stringify(read.rejected));
      await pipeline.accept({ projectId, organizationId }, read.batch, 0);
    },
    report: (project, body, by = 'key') =>
      http.request('/v1/ingest/outcomes', { method: 'POST', body, headers: projects.credentials(by, project) }),
    read: (project, path, by = 'viewer') =>
      http.request(`/v1/projects/${project.projectId}/outcomes/${path}`, { headers: projects.credentials(by, project) }),
    async close() {
      await http.close();
      await pipeline.close();
      await close();
    },
  };
  return service;
}
