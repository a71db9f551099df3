import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startBackgroundJobs } from './background-jobs.ts';
import type { Config } from './config.ts';
import { closeFeatures, openFeatures } from './features.ts';
import type { Features } from './features.ts';
import type { TargetNetwork } from './features/simulations/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import { systemClock } from './platform/clock/clock.ts';
import type { Platform } from './platform/feature/index.ts';
import { createServer, maxConnectionsUnder, openFileLimit, Readiness } from './platform/http/index.ts';
import type { Server } from './platform/http/index.ts';
import { joinInstallation } from './platform/installation/index.ts';
import type { StoreName } from './platform/installation/index.ts';
import { PeriodicJobs } from './platform/jobs/periodic.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { requireSameSecret } from './platform/postgres/index.ts';
import type { PreopenedStores } from './preopen.ts';
import { openStores } from './stores.ts';
import type { OpenedStores } from './stores.ts';

/** Milliseconds that batches and jobs may take to finish at shutdown; bounds the wait for a ClickHouse server that does not answer. */
const clickhousePatienceMs = 5_000;

/** Output directory of scripts/build-dashboard.mjs. */
const dashboardFolder = join(import.meta.dirname, '../dist/dashboard');

/** The whole service, wired and running. */
export interface App {
  /** Where it listens: scheme, host and port. */
  url: string;
  server: Server;
  stores: OpenedStores;
  features: Features;
  /** Accepts no further requests, finishes those in progress, and closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Logger;
  clock?: Clock;
  /** Runs background jobs; off for command-line tools and for tests that run jobs explicitly. */
  jobs?: boolean;
  /** Stores of which the operator accepts the loss (`--accept-missing`). */
  acceptMissing?: readonly StoreName[];
  /** Result of `preopenStores`; without it the stores are opened now. */
  preopened?: PreopenedStores;
  /** How HTTP targets of scenarios are reached; for tests, which have no public server. */
  targetNetwork?: TargetNetwork;
}

/** Opens the stores, wires the features and listens. What was opened is closed again when a later step fails. */
export async function startApp(
  config: Config,
  { log, clock = systemClock, jobs = true, preopened, targetNetwork, acceptMissing = [] }: AppOptions,
): Promise<App> {
  const stores = await openStores(config, log, { preopened, acceptMissing });
  try {
    await joinInstallation(stores, { secretKey: config.secretKey, accept: acceptMissing, log });
    return await wire(config, stores, { log, clock, jobs, targetNetwork });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

type WireOptions = Required<Omit<AppOptions, 'preopened' | 'targetNetwork' | 'acceptMissing'>> & {
  targetNetwork: TargetNetwork | undefined;
};

async function wire(config: Config, stores: OpenedStores, { log, clock, jobs, targetNetwork }: WireOptions): Promise<App> {
  const address = { url: '' };
  const publicOrigin = () => new URL(config.publicUrl ?? address.url).origin;
  const platform = await platformOf(config, stores, { log, clock, publicOrigin });
  const features = await openFeatures(platform, {
    ...config,
    secretKeyFile: config.secretKey === null ? stores.directory.secretKeyFile : null,
    dashboardFolder,
    targetNetwork,
  });
  const background = new PeriodicJobs((job, error) => {
    platform.metrics.jobErrors.inc({ job });
    log.error({ err: error, job }, 'a background job failed and will be tried again');
  });
  const closeWork = async () => {
    // Events that are not in ClickHouse by then stay in the log and are written at the next start.
    const patience = setTimeout(() => void stores.clickhouse.abandon(), clickhousePatienceMs);
    await background.stop();
    await closeFeatures(features.all, log);
    clearTimeout(patience);
  };
  try {
    const readiness = new Readiness();
    const { server, metricsServer } = await serve(config, platform, features, readiness);
    address.url = urlOf(config.host, server.server.address() as AddressInfo);
    if (jobs && config.role !== 'api') startBackgroundJobs(background, stores.postgres, features.all);
    readiness.started();
    const close = async () => {
      readiness.drain();
      for (const feature of features.all) await feature.drain?.();
      await server.close();
      metricsServer?.close();
      await closeWork();
      await stores.close();
    };
    return { url: address.url, server, stores, features, close };
  } catch (error) {
    await closeWork();
    throw error;
  }
}

/** Creates the server with the endpoints of the features, and listens. */
async function serve(config: Config, platform: Platform, features: Features, readiness: Readiness) {
  const { clock, metrics, publicOrigin, wal, log } = platform;
  readiness.watch(() => (wal.stats().failure ? 'the write-ahead log cannot be written; see the log' : null));
  const { authenticator } = features.identity;
  const openFiles = openFileLimit();
  const maxConnections = openFiles === null ? null : maxConnectionsUnder(openFiles);
  const { trustProxy } = config;
  const server = await createServer({ log, clock, authenticator, publicOrigin, readiness, trustProxy, maxConnections });
  metrics.observe(server);
  if (config.role !== 'worker') for (const feature of features.all) await feature.routes?.(server);
  const metricsServer = await serveMetrics(config, metrics, server);
  metrics.watch({
    backlogBytes: () => wal.stats().backlogBytes,
    backlogLimitBytes: () => wal.stats().backlogLimitBytes,
    backlogRecords: () => wal.stats().backlogRecords,
    commits: () => wal.stats().commits,
    ready: () => readiness.reasons().length === 0,
  });
  await server.listen({ host: config.host, port: config.port });
  return { server, metricsServer };
}

async function platformOf(
  config: Config,
  { directory, postgres, clickhouse, wal, buckets }: OpenedStores,
  { log, clock, publicOrigin }: Pick<Platform, 'log' | 'clock' | 'publicOrigin'>,
): Promise<Platform> {
  const secret = config.secretKey ?? directory.secretKey();
  await requireSameSecret(postgres.db, secret);
  const stores = { directory, postgres, clickhouse, wal, buckets };
  const replicated = postgres.mode === 'server' && clickhouse.mode === 'http';
  return { ...stores, log, clock, metrics: new Metrics(), secret, replicated, publicOrigin };
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
