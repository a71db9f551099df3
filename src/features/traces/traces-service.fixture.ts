import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { Plan } from '../../contract/plans.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { noOwnPrices } from '../pricing/index.ts';
import type { OutcomeRecord, ScoreRecord, SpanRecord } from '../records/index.ts';
import { emptyOutcome, emptyScore, emptySpan } from '../records/records.fixture.ts';
import { addWords } from '../trace-store/index.ts';
import { noViews } from '../views/no-views.fixture.ts';
import { traceRoutes } from './routes.ts';
import { SpanMapper } from './span-mapper.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
export const nowNs = BigInt(nowMs) * 1_000_000n;

/** For traces without outcomes. */
export const outcomesOfTrace = () => Promise.resolve({ outcomes: [], truncated: false });

/** For projects without prices of their own. */
export const ownPrices = () => Promise.resolve(noOwnPrices);

/** How texts are searched: by the index of words, in `span_texts` without it, or, while earlier texts are copied, in the spans. */
export interface TestSearch {
  hasWords: boolean;
  whole: boolean;
  isWhole(): Promise<boolean>;
}

/** For tables without an index, filled without their texts. */
export const unsearched: TestSearch = { hasWords: false, whole: false, isWhole: () => Promise.resolve(false) };

export interface TracesService {
  clickhouse: ClickHouse;
  clock: ManualClock;
  /** By the index of words at first. */
  search: TestSearch;
  /** Creates a project in a new organization, with `key` and one user for each role. */
  project(plan?: Plan): TestProject;
  /** Stores events through the pipeline, and waits until they can be read. */
  store(
    project: TestProject,
    events: {
      spans?: Array<Partial<SpanRecord>>;
      scores?: Array<Partial<ScoreRecord>>;
      outcomes?: Array<Partial<OutcomeRecord>>;
    },
  ): Promise<void>;
  /** Requests a path of the project, with its API key by default. */
  request(project: TestProject, path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

interface RequestOptions {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the caller's API key. */
  by?: By;
  /** The project whose credentials are sent; by default the requested one. */
  caller?: TestProject;
}

/** The routes of this feature over real HTTP, a real ClickHouse and the real pipeline; authentication is a stub. */
export async function openTracesService(): Promise<TracesService> {
  const { clickhouse, close } = await openTestClickHouse();
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  const projects = new TestProjects();
  await addWords(clickhouse);
  const search: TestSearch = { hasWords: true, whole: true, isWhole: () => Promise.resolve(search.whole) };
  const mapper = new SpanMapper();
  const http = await openHttpService(
    (app) => traceRoutes(app, { clickhouse, clock, pipeline, outcomesOfTrace, ownPrices, mapper, search, views: noViews }),
    {
      authenticator: projects.authenticator,
    },
  );
  return {
    clickhouse,
    clock,
    search,
    project: (plan) => projects.create(plan),
    async store({ projectId, organizationId }, { spans = [], scores = [], outcomes = [] }) {
      const batch = {
        spans: spans.map((span) => ({ ...emptySpan, startNs: nowNs, ...span })),
        scores: scores.map((score) => ({ ...emptyScore, timestampMs: nowMs, ...score })),
        outcomes: outcomes.map((outcome) => ({ ...emptyOutcome, occurredMs: nowMs, ...outcome })),
      };
      await pipeline.accept({ projectId, organizationId }, batch, 0);
      await pipeline.drain();
    },
    request: (project, path, { method = 'GET', body, headers = {}, by = 'key', caller = project } = {}) =>
      http.request(`/v1/projects/${project.projectId}${path}`, {
        method,
        body,
        headers: { ...projects.credentials(by, caller), ...headers },
      }),
    async close() {
      await http.close();
      await mapper.close();
      await pipeline.close();
      await close();
    },
  };
}
