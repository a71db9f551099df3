import type { ScoreBody } from '../../contract/ingest.ts';
import type { Score } from '../../contract/traces.ts';
import { slowestRate } from '../../platform/budgets/index.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import type { ScoreActor } from '../scores/index.ts';
import type { IngestPipeline, UsageStore } from '../trace-store/index.ts';
import { ingestContext } from './ingest-context.ts';
import type { IngestContextPorts } from './ingest-context.ts';
import { ClientDelivery } from './clients/client-delivery.ts';
import { PostgresClientStore } from './clients/client-store.ts';
import { healthOf } from './ingest-health.ts';
import { recordScore } from './record-score.ts';
import { ingestLimits } from './ingest-limits.ts';
import type { IngestSettings } from './ingest-limits.ts';
import { ingestRoutes } from './routes.ts';

export interface IngestPorts extends IngestContextPorts {
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'eventsOfMonth' | 'recentEvents'>;
}

export interface IngestFeature extends Feature {
  /** See {@link healthOf}. */
  healthOf(tenant: Tenant): ReturnType<typeof healthOf>;
  /** See {@link recordScore}. */
  recordScore(by: ScoreActor, body: ScoreBody): Promise<Score>;
}

const forgetEveryMs = 10 * 60_000;
const deleteEveryMs = 60 * 60_000;

/** The endpoints that accept spans and scores, with their rate limit and quota. */
export function open(
  platform: Pick<Platform, 'buckets' | 'clock' | 'log' | 'postgres'>,
  settings: IngestSettings,
  { pipeline, usage, ...ports }: IngestPorts,
): IngestFeature {
  const { buckets, clock, log, postgres } = platform;
  const store = new PostgresClientStore(postgres.db);
  const clients = new ClientDelivery({
    clock,
    store,
    onError: (error) => log.warn({ err: error }, 'the counts of clients could not be written and are kept'),
  });
  const limits = ingestLimits(settings);
  const context = ingestContext({
    limits,
    pipeline,
    usage,
    clock,
    clients,
    ports,
    buckets: openRateLimit(platform, limits.rate, 'ingestion'),
  });
  return {
    healthOf: (tenant) => healthOf(context, tenant),
    recordScore: (by, body) => recordScore(context, by, body),
    routes: (server) => ingestRoutes(server, context),
    jobs: [
      { name: 'delete-old-clients', everyMs: deleteEveryMs, changes: ['postgres'], run: () => store.deleteOld(clock.now()) },
      ...(buckets === null
        ? []
        : [
            {
              name: 'forget-rate-buckets',
              everyMs: forgetEveryMs,
              changes: ['postgres'] as const,
              run: () => buckets.forgetFull(slowestRate, clock.now()),
            },
          ]),
    ],
    close: async () => {
      await clients.flush();
      await context.reader.close();
    },
  };
}
