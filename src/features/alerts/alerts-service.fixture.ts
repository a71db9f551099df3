import { v7 as uuidv7 } from 'uuid';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { AlertRule } from '../../contract/alerts.ts';
import type { Incident } from '../../contract/incidents.ts';
import type { ChannelBody, ChannelRecord, NotificationType } from '../../contract/notifications.ts';
import type { Plan } from '../../contract/plans.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { Metrics } from '../../platform/metrics/metrics.ts';
import type { Database, Postgres, Transaction } from '../../platform/postgres/index.ts';
import { open as openChanges } from '../changes/index.ts';
import { open as openIncidents } from '../incidents/index.ts';
import type { IngestBatch } from '../records/index.ts';
import type { AlertChannels } from './alerts-context.ts';
import { open } from './open.ts';
import type { AlertsFeature } from './open.ts';

export const nowMs = Date.UTC(2026, 10, 22, 10);

/** A message that the recording channels were given. */
export interface SentMessage {
  ruleId: string;
  type: NotificationType;
  incidentId: string | null;
  data: Readonly<Record<string, unknown>>;
  path: string;
}

/** Channels that record messages instead of sending them. A rule's channels are kept in memory. */
export class RecordingChannels implements AlertChannels {
  readonly sent: SentMessage[] = [];
  readonly #channels = new Map<string, ChannelRecord[]>();

  checkChannels = (_saver: unknown, channels: readonly ChannelBody[]) =>
    Promise.resolve({ channels, privateUrls: new Set<string>() });
  setChannels = (
    _transaction: Transaction,
    _projectId: string,
    ruleId: string,
    { channels }: { channels: readonly ChannelBody[] },
  ) => {
    const saved = channels.map((body): ChannelRecord =>
      body.type === 'email'
        ? { id: uuidv7(), type: 'email', to: body.to, disabledAt: null }
        : { id: uuidv7(), type: 'webhook', url: body.url, hasSecret: true, disabledAt: null },
    );
    this.#channels.set(ruleId, saved);
    return Promise.resolve(saved);
  };
  deleteChannels = (_transaction: Transaction, ruleId: string) => {
    this.#channels.delete(ruleId);
    return Promise.resolve();
  };
  channelsOf = () => Promise.resolve(this.#channels);
  notify: AlertChannels['notify'] = (_transaction, { rule, type, incidentId, data, path }) => {
    const channels = this.#channels.get(rule.id) ?? [];
    if (channels.length > 0) this.sent.push({ ruleId: rule.id, type, incidentId, data, path });
    return Promise.resolve(channels.map(() => uuidv7()));
  };
  listDeliveries = () => Promise.resolve({ deliveries: [], nextCursor: null });
  redeliver = () => Promise.resolve();
  wake = () => undefined;
}

export interface AlertsService {
  db: Database;
  clickhouse: ClickHouse;
  clock: ManualClock;
  channels: RecordingChannels;
  metrics: Metrics;
  /** Errors of evaluations. */
  failures: unknown[];
  feature: AlertsFeature;
  project(plan?: Plan): Promise<TestProject>;
  /** Records an environment. */
  environment(project: TestProject, name: string): Promise<void>;
  /** Stores events through the pipeline, and waits until they can be read. */
  store(project: TestProject, batch: Partial<IngestBatch>): Promise<void>;
  as(by: By, project: TestProject, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a rule with the fields given; fails unless it is created. */
  rule(project: TestProject, body: object): Promise<AlertRule>;
  getRule(project: TestProject, id: string): Promise<AlertRule>;
  /** The incidents of a project, the oldest first. */
  incidents(project: TestProject): Promise<Incident[]>;
  /** Deletes the rules and incidents of a project. */
  reset(project: TestProject): Promise<void>;
  /** Runs the job once. */
  evaluate(feature?: AlertsFeature): Promise<void>;
  /** Another process on the same stores. */
  another(): AlertsFeature;
  close(): Promise<void>;
}

/** Rules and incidents on a real ClickHouse, a real PostgreSQL and the real pipeline, evaluated every minute by the tests. */
export async function openAlertsService(): Promise<AlertsService> {
  const { clickhouse, close: closeClickHouse } = await openTestClickHouse();
  const { postgres, close: closePostgres } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  const projects = new TestProjects();
  const made: TestProject[] = [];
  const channels = new RecordingChannels();
  const metrics = new Metrics();
  const failures: unknown[] = [];
  const openBoth = () => {
    const { changesBetween } = openChanges({ postgres, clickhouse, clock });
    const projectPage = () => Promise.resolve('/o/acme/p/own');
    const incidents = openIncidents(
      { postgres, clock },
      { notify: channels.notify, wake: channels.wake, changesBetween, projectPage },
    );
    const log = { error: (fault: { err: unknown }) => void failures.push(fault.err) } as never;
    const feature = open(
      { postgres, clickhouse, clock, log, metrics, buckets: null },
      {
        channels,
        incidents,
        projectPlans: () => Promise.resolve(made),
        newestSpanMs: (projectId) => Promise.resolve(pipeline.lastActivity(projectId).spanMs),
        projectPage,
      },
      { intervalMs: 60_000 },
    );
    return { incidents, feature };
  };
  const { incidents, feature } = openBoth();
  const http = await openHttpService(
    async (app) => {
      await feature.routes?.(app);
      await incidents.routes?.(app);
    },
    { authenticator: projects.authenticator },
  );
  const as: AlertsService['as'] = (by, project, method, path, body) =>
    http.request(`/v1/projects/${project.projectId}${path}`, {
      method,
      headers: projects.credentials(by, project),
      ...(body === undefined ? {} : { body }),
    });
  const ok = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`a request answered ${status}: ${text}`);
    return body;
  };
  return {
    db: postgres.db,
    clickhouse,
    clock,
    channels,
    metrics,
    failures,
    feature,
    async project(plan) {
      const project = projects.create(plan);
      made.push(project);
      await addProject(postgres, project);
      return project;
    },
    environment: (project, name) => addEnvironment(postgres, project, name),
    async store({ projectId, organizationId }, batch) {
      await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [], ...batch }, 0);
      await pipeline.drain();
    },
    as,
    rule: (project, body) => ok(as('member', project, 'POST', '/alerts', body)),
    getRule: (project, id) => ok(as('viewer', project, 'GET', `/alerts/${id}`)),
    incidents: async (project) => (await ok(as('viewer', project, 'GET', '/incidents?limit=200'))).incidents.toReversed(),
    async reset({ projectId }) {
      await postgres.db.deleteFrom('alert_rules').where('project_id', '=', projectId).execute();
      await postgres.db.deleteFrom('incidents').where('project_id', '=', projectId).execute();
    },
    evaluate: (given = feature) => runJobs(given),
    another: () => openBoth().feature,
    async close() {
      await http.close();
      await pipeline.close();
      await closePostgres();
      await closeClickHouse();
    },
  };
}

async function runJobs({ jobs = [] }: AlertsFeature): Promise<void> {
  for (const job of jobs) await job.run(new AbortController().signal);
}

async function addProject({ db }: Postgres, { projectId, organizationId, plan }: TestProject): Promise<void> {
  const at = new Date(nowMs);
  const organization = { id: organizationId, slug: organizationId, name: 'Acme', plan, created_at: at };
  await db.insertInto('organizations').values(organization).execute();
  const project = { id: projectId, organization_id: organizationId, name: 'own', slug: 'own', created_at: at };
  await db.insertInto('projects').values(project).execute();
}

async function addEnvironment({ db }: Postgres, { projectId }: TestProject, name: string): Promise<void> {
  const at = new Date(nowMs);
  const managed = {
    managed_by: 'dashboard' as const,
    detached: false,
    path: null,
    updated_by: 'test',
    created_at: at,
    updated_at: at,
  };
  await db
    .insertInto('environments')
    .values({ id: uuidv7(), project_id: projectId, name, description: '', ...managed })
    .execute();
}
