import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { auditRoutes, recordRetention } from './features/audit/index.ts';
import { complianceRoutes } from './features/compliance/index.ts';
import { datasetRoutes, datasetsContext, readRunItems, saveRunScores } from './features/datasets/index.ts';
import {
  connectionRoutes,
  Evaluation,
  EvaluationQueue,
  evaluationRoutes,
  openMeasures,
  sessionCheckMs,
} from './features/evaluation/index.ts';
import {
  bootstrap,
  forgetExpired,
  IdentityAuthenticator,
  identityContext,
  identityRoutes,
  listProjectPlans,
} from './features/identity/index.ts';
import type { FirstStart, IdentityContext } from './features/identity/index.ts';
import { ingestContext, ingestRoutes, Pipeline, UsageStore } from './features/ingest/index.ts';
import type { IngestContext } from './features/ingest/index.ts';
import { deleteSupersededSeals, HourStates, modelRoutes, sealHours } from './features/models/index.ts';
import { promptRoutes, promptsContext } from './features/prompts/index.ts';
import { deleteExpired, traceRoutes } from './features/traces/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import { systemClock } from './platform/clock/clock.ts';
import { createServer, Readiness } from './platform/http/index.ts';
import type { Server } from './platform/http/index.ts';
import { PeriodicJobs } from './platform/jobs/periodic.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { openStores } from './stores.ts';
import type { Stores } from './stores.ts';

/** The whole service, wired and running. */
export interface App {
  /** Where it listens: scheme, host and port. */
  url: string;
  server: Server;
  stores: Stores;
  identity: IdentityContext;
  ingest: IngestContext;
  pipeline: Pipeline;
  hourStates: HourStates;
  evaluation: Evaluation;
  /** What to tell the operator once; null when the storage was not empty. */
  firstStart: FirstStart | null;
  /** Takes no more requests, finishes those under way, and closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Logger;
  clock?: Clock;
  /** Runs background jobs; off for command-line tools and for tests that run them by hand. */
  jobs?: boolean;
}

/** Opens the stores, wires the features and listens. What was opened is closed again when a later step fails. */
export async function startApp(config: Config, { log, clock = systemClock, jobs = true }: AppOptions): Promise<App> {
  const stores = await openStores(config, log);
  try {
    return await wire(config, stores, { log, clock, jobs });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function wire(config: Config, stores: Stores, { log, clock, jobs }: Required<AppOptions>): Promise<App> {
  const { postgres, clickhouse, wal } = stores;
  const metrics = new Metrics();
  const identity = identityContext(postgres.db, clock);
  const firstStart = await postgres.withLock('spanwise-first-start', () => bootstrap(identity, config));
  const hourStates = new HourStates(postgres.db, clock);
  const usage = new UsageStore(postgres.db, wal.id);
  const evaluationQueue = new EvaluationQueue({ postgres, clickhouse, clock });
  const pipeline = await Pipeline.open({
    clickhouse,
    log: wal,
    logId: wal.id,
    usage,
    clock,
    markHours: (hours) => hourStates.mark(hours),
    onWritten: evaluationQueue.onWritten,
    passThresholds: evaluationQueue.passThresholds,
    onWriteError: (error) => {
      metrics.batchErrors.inc();
      log.error({ err: error }, 'a batch could not be written to ClickHouse and will be tried again');
    },
  });
  const ingest = ingestContext(pipeline, usage, clock);
  const secret = config.secretKey ?? stores.directory.secretKey();
  const evaluating = openMeasures({ database: postgres.db, clock, secret });
  const evaluation = new Evaluation(evaluationQueue, {
    pipeline,
    measures: evaluating.measures,
    runItems: {
      read: (ids) => readRunItems(postgres.db, ids),
      save: (scores) => saveRunScores(postgres.db, clock, scores),
    },
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'evaluations' });
      log.error({ err: error }, 'an evaluation failed for a reason that is not its own');
    },
  });
  const prompts = promptsContext(postgres, clickhouse, clock);
  const deleteTrace: Pipeline['deleteTrace'] = async (tenant, traceId) => {
    const deleted = await pipeline.deleteTrace(tenant, traceId);
    await evaluation.forgetTrace(tenant.projectId, traceId);
    return deleted;
  };
  const readiness = new Readiness();
  readiness.watch(() => (wal.stats().failure ? 'the write-ahead log cannot be written; see the log' : null));
  const address = { url: '' };
  const publicOrigin = () => new URL(config.publicUrl ?? address.url).origin;
  const server = await createServer({
    log,
    authenticator: new IdentityAuthenticator(identity.db, clock, identity.keys),
    publicOrigin,
    readiness,
    trustProxy: config.trustProxy,
  });
  metrics.observe(server);
  if (config.role !== 'worker') {
    identityRoutes(server, identity, publicOrigin);
    auditRoutes(server, { db: postgres.db, clock });
    complianceRoutes(server);
    connectionRoutes(server, evaluating.connections);
    await ingestRoutes(server, ingest);
    traceRoutes(server, { clickhouse, clock, pipeline: { deleteTrace } });
    evaluationRoutes(server, evaluation.context);
    const temporaryDirectory = stores.directory.temporary;
    const { onRunItemsAdded } = evaluationQueue;
    await datasetRoutes(server, datasetsContext(postgres.db, { clock, clickhouse, temporaryDirectory, onRunItemsAdded }));
    modelRoutes(server, { clickhouse, clock, hourStates });
    promptRoutes(server, prompts);
  }
  const metricsServer = await serveMetrics(config, metrics, server);
  metrics.watch({
    backlogBytes: () => wal.stats().backlogBytes,
    backlogRecords: () => wal.stats().backlogRecords,
    commits: () => wal.stats().commits,
    ready: () => readiness.reasons().length === 0,
  });
  const background = new PeriodicJobs((job, error) => {
    metrics.jobErrors.inc({ job });
    log.error({ err: error, job }, 'a background job failed and will be tried again');
  });
  await server.listen({ host: config.host, port: config.port });
  address.url = urlOf(config.host, server.server.address() as AddressInfo);
  if (jobs && config.role !== 'api') startJobs(background, { stores, identity, hourStates, usage, clock, evaluation });
  readiness.started();
  return {
    url: address.url,
    server,
    stores,
    identity,
    ingest,
    pipeline,
    hourStates,
    evaluation,
    firstStart,
    close: async () => {
      readiness.drain();
      await server.close();
      prompts.cache.close();
      metricsServer?.close();
      await background.stop();
      await evaluation.stop();
      await evaluating.close();
      await pipeline.close();
      await stores.close();
    },
  };
}

interface JobContext {
  stores: Stores;
  identity: IdentityContext;
  hourStates: HourStates;
  usage: UsageStore;
  clock: Clock;
  evaluation: Evaluation;
}

const minuteMs = 60_000;

/** Each job runs in one process at a time, whichever takes its lock. */
function startJobs(background: PeriodicJobs, { stores, identity, hourStates, usage, clock, evaluation }: JobContext): void {
  const { postgres, clickhouse } = stores;
  const alone = (name: string, everyMs: number, work: () => Promise<unknown>) =>
    background.start({
      name,
      everyMs,
      run: async () => {
        await postgres.tryLock(`spanwise-job-${name}`, work);
      },
    });
  alone('seal-hours', 2_000, () => sealHours({ clickhouse, hourStates, clock }));
  alone('delete-superseded-seals', 30 * minuteMs, () => deleteSupersededSeals({ clickhouse, hourStates }));
  alone('retention', 60 * minuteMs, () =>
    deleteExpired({
      clickhouse,
      clock,
      postgres: postgres.db,
      projects: () => listProjectPlans(identity),
      onExpired: (expired) => recordRetention({ db: postgres.db, clock }, expired),
    }),
  );
  evaluation.start();
  alone('complete-sessions', sessionCheckMs, () => evaluation.completeSessions());
  alone('evaluation-retention', 60 * minuteMs, async () => evaluation.deleteExpired(await listProjectPlans(identity)));
  alone('forget-expired', 10 * minuteMs, async () => {
    await forgetExpired(identity);
    await usage.forgetOldMinutes(clock.now());
  });
}

async function serveMetrics(config: Config, metrics: Metrics, server: Server): Promise<HttpServer | null> {
  if (config.metricsPublic) {
    server.get('/metrics', { config: { access: { who: 'public' } }, schema: { hide: true } }, async (_request, reply) =>
      reply
        .type(metrics.registry.contentType)
        .serializer(String)
        .send(await metrics.registry.metrics()),
    );
  }
  return config.metricsPort === null ? null : metrics.listen(config.host, config.metricsPort);
}

function urlOf(host: string, { port }: AddressInfo): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
