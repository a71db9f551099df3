import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { complianceRoutes } from './features/compliance/index.ts';
import { dashboardRoutes } from './features/dashboard/index.ts';
import {
  bootstrap,
  forgetExpired,
  IdentityAuthenticator,
  identityContext,
  identityRoutes,
  listProjectPlans,
} from './features/identity/index.ts';
import type { FirstStart, IdentityContext } from './features/identity/index.ts';
import { BatchBuilderThread, ingestContext, ingestRoutes, Pipeline, UsageStore } from './features/ingest/index.ts';
import type { IngestContext } from './features/ingest/index.ts';
import { deleteSupersededSeals, HourStates, modelRoutes, sealHours } from './features/models/index.ts';
import { deleteExpired, traceRoutes } from './features/traces/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import { systemClock } from './platform/clock/clock.ts';
import { createServer, Readiness } from './platform/http/index.ts';
import type { Server } from './platform/http/index.ts';
import { PeriodicJobs } from './platform/jobs/periodic.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { openStores } from './stores.ts';
import type { Stores } from './stores.ts';

/** Where scripts/build-dashboard.mjs puts the dashboard. */
const dashboardFolder = join(import.meta.dirname, '../dist/dashboard');

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
  const builder = new BatchBuilderThread(clickhouse, (error) =>
    log.error({ err: error }, 'what ClickHouse holds could not be learnt; every trace will be looked up'),
  );
  const pipeline = await Pipeline.open({
    clickhouse,
    builder,
    log: wal,
    logId: wal.id,
    usage,
    clock,
    markHours: (hours) => hourStates.mark(hours),
    onWriteError: (error) => {
      metrics.batchErrors.inc();
      log.error({ err: error }, 'a batch could not be written to ClickHouse and will be tried again');
    },
    onUnreadable: async (record, name, reason) => {
      await wal.setAside(name, record);
      log.error({ record: name, reason }, 'a record of the write-ahead log could not be read and was put aside');
    },
  });
  const ingest = ingestContext(pipeline, usage, clock);
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
    complianceRoutes(server);
    await ingestRoutes(server, ingest);
    traceRoutes(server, { clickhouse, clock, pipeline });
    modelRoutes(server, { clickhouse, clock, hourStates });
    await dashboardRoutes(server, dashboardFolder);
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
  if (jobs && config.role !== 'api') startJobs(background, { stores, identity, hourStates, usage, clock });
  readiness.started();
  return {
    url: address.url,
    server,
    stores,
    identity,
    ingest,
    pipeline,
    hourStates,
    firstStart,
    close: async () => {
      readiness.drain();
      await server.close();
      metricsServer?.close();
      await background.stop();
      await pipeline.close();
      await builder.close();
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
}

const minuteMs = 60_000;

/** Each job runs in one process at a time, whichever takes its lock. */
function startJobs(background: PeriodicJobs, { stores, identity, hourStates, usage, clock }: JobContext): void {
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
    deleteExpired({ clickhouse, clock, postgres: postgres.db, projects: () => listProjectPlans(identity) }),
  );
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
