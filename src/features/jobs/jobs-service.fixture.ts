import pino from 'pino';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { Acting } from '../../contract/actor.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { silentMetrics } from '../../platform/jobs/leased-queue/queue-metrics.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Database, Postgres } from '../../platform/postgres/index.ts';
import type { JobStep, JobType, StepOutcome } from './job-type.ts';
import { open } from './open.ts';
import type { JobMaker, JobsFeature } from './open.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);

/** What the test's type counts over pages. */
export interface Counted {
  pages: number;
}

export type TestStep = JobStep<{ name: string }, Counted>;

export interface JobsService {
  db: Database;
  postgres: Postgres;
  clock: ManualClock;
  feature: JobsFeature;
  maker: JobMaker<{ name: string }>;
  /** Does the pages of the test's type; tests replace what it does. */
  type: { -readonly [Name in 'run' | 'finish' | 'abandon']: NonNullable<JobType<{ name: string }, Counted>[Name]> };
  project(): Promise<TestProject>;
  request(project: TestProject, method: string, path: string, by?: By): Promise<Answer>;
  close(): Promise<void>;
}

export const acting = ({ organizationId, projectId }: TestProject): Acting => ({
  organizationId,
  projectId,
  actor: { type: 'user', id: '0197c000-0000-7000-8000-000000000001', email: 'ada@example.com', name: 'Ada' },
});

/** A second process on the same database. */
export function openJobsProcess(service: Pick<JobsService, 'postgres' | 'clock' | 'type'>): {
  feature: JobsFeature;
  maker: JobMaker<{ name: string }>;
} {
  const { postgres, clock, type } = service;
  const metrics = { queues: { of: () => silentMetrics }, jobErrors: { inc: () => undefined } } as unknown as Metrics;
  const feature = open({ postgres, clock, metrics, log: pino({ level: 'silent' }) });
  const maker = feature.register<{ name: string }, Counted>({
    type: 'test',
    permission: 'datasets:manage',
    byKey: false,
    pageSize: 3,
    run: (step) => type.run(step),
    finish: (job) => type.finish(job),
    abandon: (job) => type.abandon(job),
  });
  return { feature, maker };
}

/** The runner over a PostgreSQL of its own, with one type of jobs. */
export async function openJobsService(): Promise<JobsService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const projects = new TestProjects();
  const type: JobsService['type'] = {
    run: ({ job }): Promise<StepOutcome<Counted>> =>
      Promise.resolve({ failed: [], state: { pages: (job.state?.pages ?? 0) + 1 } }),
    finish: () => Promise.resolve(null),
    abandon: () => Promise.resolve(),
  };
  const { feature, maker } = openJobsProcess({ postgres, clock, type });
  const http = await openHttpService((app) => feature.routes?.(app), { authenticator: projects.authenticator });
  return {
    db: postgres.db,
    postgres,
    clock,
    feature,
    maker,
    type,
    async project() {
      const project = projects.create();
      await insertProject(postgres.db, project, { atMs: nowMs });
      return project;
    },
    request: (project, method, path, by = 'key') =>
      http.request(`/v1/projects/${project.projectId}${path}`, { method, headers: projects.credentials(by, project) }),
    async close() {
      await http.close();
      await feature.close?.();
      await close();
    },
  };
}
