import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { readEvents } from '../ingest/index.ts';
import type { RunItemsHook } from './datasets-context.ts';
import { open } from './index.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the project's key. */
  by?: By;
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
  const [{ postgres, close: closePostgres }, { clickhouse, close: closeClickHouse }] = await Promise.all([
    openTestPostgres(),
    openTestClickHouse(),
  ]);
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  const projects = new TestProjects();
  const hook = { onRunItemsAdded: (() => Promise.resolve()) as RunItemsHook };
  const onRunItemsAdded: RunItemsHook = (...parameters) => hook.onRunItemsAdded(...parameters);
  const feature = open(
    { postgres, clickhouse, clock, directory: { temporary: directory } },
    { onRunItemsAdded, scenariosOfDataset: async () => [], blankItems: async () => undefined },
  );
  const http = await openHttpService((app) => feature.routes?.(app), { authenticator: projects.authenticator });
  return {
    url: http.url,
    db: postgres.db,
    clock,
    temporaryDirectory: directory,
    hook,
    async project(plan) {
      const project = projects.create(plan);
      await insertProject(postgres.db, project, { atMs: nowMs });
      return project;
    },
    request: (project, method, path, { body, headers = {}, by = 'key' } = {}) =>
      http.request(path, {
        method,
        headers: { ...projects.credentials(by, project), ...headers },
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
      await http.close();
      await feature.close?.();
      await pipeline.close();
      await closeClickHouse();
      await closePostgres();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
