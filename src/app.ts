import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { betweenJobs, startBackgroundJobs } from './background-jobs.ts';
import type { Config } from './config.ts';
import type { EarlyStores } from './early-stores.ts';
import { auditRoutes } from './features/audit/index.ts';
import { serveBackups } from './features/backup/index.ts';
import { complianceRoutes } from './features/compliance/index.ts';
import { dashboardRoutes } from './features/dashboard/index.ts';
import { datasetRoutes } from './features/datasets/index.ts';
import { connectionRoutes, evaluationRoutes } from './features/evaluation/index.ts';
import { IdentityAuthenticator, identityRoutes } from './features/identity/index.ts';
import { ingestRoutes } from './features/ingest/index.ts';
import { modelRoutes } from './features/models/index.ts';
import { promptRoutes } from './features/prompts/index.ts';
import { traceRoutes } from './features/traces/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import { systemClock } from './platform/clock/clock.ts';
import { createServer, Readiness } from './platform/http/index.ts';
import type { Server } from './platform/http/index.ts';
import { PeriodicJobs } from './platform/jobs/periodic.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { openServices } from './services.ts';
import type { Services } from './services.ts';
import { openStores } from './stores.ts';
import type { Stores } from './stores.ts';

/** How long batches and jobs may take to finish when the process ends; a server that does not answer would hold it up. */
const clickhousePatienceMs = 5_000;

/** Where scripts/build-dashboard.mjs puts the dashboard. */
const dashboardFolder = join(import.meta.dirname, '../dist/dashboard');

/** The whole service, wired and running. */
export interface App extends Omit<Services, 'clock'> {
  /** Where it listens: scheme, host and port. */
  url: string;
  server: Server;
  /** Takes no more requests, finishes those under way, and closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Logger;
  clock?: Clock;
  /** Runs background jobs; off for command-line tools and for tests that run them by hand. */
  jobs?: boolean;
  /** Of `openEarlyStores`, when it was called before. */
  early?: EarlyStores;
}

/** Opens the stores, wires the features and listens. What was opened is closed again when a later step fails. */
export async function startApp(config: Config, { log, clock = systemClock, jobs = true, early }: AppOptions): Promise<App> {
  const stores = await openStores(config, log, { early });
  try {
    return await wire(config, stores, { log, clock, jobs });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function wire(config: Config, stores: Stores, { log, clock, jobs }: Required<Omit<AppOptions, 'early'>>): Promise<App> {
  const { wal, clickhouse } = stores;
  const metrics = new Metrics();
  const services = await openServices(config, stores, { log, clock, metrics });
  const readiness = new Readiness();
  readiness.watch(() => (wal.stats().failure ? 'the write-ahead log cannot be written; see the log' : null));
  const address = { url: '' };
  const publicOrigin = () => new URL(config.publicUrl ?? address.url).origin;
  const server = await createServer({
    log,
    authenticator: new IdentityAuthenticator(services.identity.db, clock, services.identity.keys),
    publicOrigin,
    readiness,
    trustProxy: config.trustProxy,
  });
  metrics.observe(server);
  if (config.role !== 'worker') await mountRoutes(server, services, publicOrigin);
  const metricsServer = await serveMetrics(config, metrics, server);
  metrics.watch({
    backlogBytes: () => wal.stats().backlogBytes,
    backlogLimitBytes: () => wal.stats().backlogLimitBytes,
    backlogRecords: () => wal.stats().backlogRecords,
    commits: () => wal.stats().commits,
    ready: () => readiness.reasons().length === 0,
  });
  const background = new PeriodicJobs((job, error) => {
    metrics.jobErrors.inc({ job });
    log.error({ err: error, job }, 'a background job failed and will be tried again');
  });
  const { directory, postgres } = stores;
  const backups = await serveBackups({
    postgres,
    clickhouse,
    wal,
    directory,
    socket: directory.controlSocket,
    postgresDirectory: directory.postgres,
    secretKeyFile: config.secretKey === null ? directory.secretKeyFile : null,
    whileStill: (work) => betweenJobs(services, () => services.pipeline.whileStill(work)),
    onError: (error) => log.warn({ err: error }, 'a backup could not be made'),
  });
  await server.listen({ host: config.host, port: config.port });
  address.url = urlOf(config.host, server.server.address() as AddressInfo);
  if (jobs && config.role !== 'api') startBackgroundJobs(background, services);
  readiness.started();
  return {
    ...services,
    url: address.url,
    server,
    close: async () => {
      readiness.drain();
      await backups.close();
      await server.close();
      // What is not in ClickHouse by then is in the log, and is written at the next start.
      const patience = setTimeout(() => void clickhouse.abandon(), clickhousePatienceMs);
      metricsServer?.close();
      await background.stop();
      await services.close();
      clearTimeout(patience);
      await stores.close();
    },
  };
}

async function mountRoutes(server: Server, services: Services, publicOrigin: () => string): Promise<void> {
  const { clock, hourStates, pipeline } = services;
  const { postgres, clickhouse } = services.stores;
  identityRoutes(server, services.identity, publicOrigin);
  auditRoutes(server, { db: postgres.db, clock });
  complianceRoutes(server);
  await ingestRoutes(server, services.ingest);
  traceRoutes(server, { clickhouse, clock, pipeline });
  modelRoutes(server, { clickhouse, clock, hourStates });
  promptRoutes(server, services.prompts);
  await datasetRoutes(server, services.datasets);
  connectionRoutes(server, services.connections);
  evaluationRoutes(server, services.evaluation.context);
  await dashboardRoutes(server, dashboardFolder);
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
