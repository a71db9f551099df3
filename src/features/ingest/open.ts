import type { Feature, Platform } from '../../platform/feature/index.ts';
import { SharedTokenBuckets, TokenBuckets } from '../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';
import type { IngestPipeline, UsageStore } from '../trace-store/index.ts';
import { ingestContext, ingestRate } from './ingest-context.ts';
import { ingestRoutes } from './routes.ts';

export interface IngestPorts {
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'eventsOfMonth' | 'recentEvents'>;
}

const forgetEveryMs = 10 * 60_000;

/** The endpoints that accept spans and scores, with their rate limit and quota. */
export function open(platform: Pick<Platform, 'buckets' | 'clock' | 'log'>, { pipeline, usage }: IngestPorts): Feature {
  const { buckets, clock } = platform;
  const context = ingestContext(pipeline, usage, clock, openRateLimit(platform));
  return {
    routes: (server) => ingestRoutes(server, context),
    jobs:
      buckets === null
        ? []
        : [
            {
              name: 'forget-rate-buckets',
              everyMs: forgetEveryMs,
              changes: ['postgres'],
              run: () => buckets.forgetFull(ingestRate, clock.now()),
            },
          ],
    close: () => context.reader.close(),
  };
}

function openRateLimit({ buckets: store, clock, log }: Pick<Platform, 'buckets' | 'clock' | 'log'>): RateLimit {
  if (store === null) return new TokenBuckets({ ...ingestRate, clock });
  return new SharedTokenBuckets({
    ...ingestRate,
    store,
    clock,
    onAway: (error) =>
      log.warn({ err: error }, `the rate limit counts in this replica alone while ${store.name} does not answer`),
    onBack: () => log.warn(`the rate limit is shared in ${store.name} again`),
  });
}
