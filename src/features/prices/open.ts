import type { Feature, Platform } from '../../platform/feature/index.ts';
import { QueueWorkers } from '../../platform/jobs/leased-queue/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import type { RepricingPort } from '../trace-store/index.ts';
import { OwnPriceCache } from './own-price-cache.ts';
import type { PricesContext } from './prices-context.ts';
import { readOwnPrices } from './read-prices.ts';
import { recordFailedRepricings } from './repricing/end-repricing.ts';
import { openRepricingQueue, repricingPool } from './repricing/repricing-queue.ts';
import type { RepricingTable } from './repricing/repricing-queue.ts';
import { runRepricing } from './repricing/run-repricing.ts';
import { pricesRoutes } from './routes.ts';

export interface PricesFeature extends Feature {
  /** The project's own prices, by which a request that arrives now is priced. Never rejects. */
  ownPrices(projectId: string): Promise<OwnPrices>;
  /** Runs every repricing that is due now; for workers that were not started. @returns repricings */
  runPending(): Promise<number>;
}

const cleanupEveryMs = 60_000;

/** A project's own prices, and jobs that price stored calls anew. */
export function open(
  { postgres, clock, metrics, log }: Pick<Platform, 'postgres' | 'clock' | 'metrics' | 'log'>,
  { repricing }: { repricing: RepricingPort },
): PricesFeature {
  const db = postgres.db;
  const { changeFeed } = postgres;
  const closing = new AbortController();
  const cache = new OwnPriceCache(
    (projectId) => readOwnPrices(db, projectId),
    changeFeed,
    clock,
    (error) => log.error({ err: error }, "a project's prices could not be read; the last known ones apply"),
  );
  const queue = openRepricingQueue({ db, clock, metrics: metrics.queues.of('repricings') });
  const context: PricesContext = { db, clock, changeFeed, queue, repricing, wake: () => workers.wake() };
  const workers = new QueueWorkers<RepricingTable['payload'], RepricingTable['results'], RepricingTable['sums']>({
    queue,
    name: 'repricings',
    clock,
    // One at a time: each page keeps batches waiting.
    pools: [{ name: repricingPool, concurrency: 1, batchSize: 1, maxOfProject: 1 }],
    run: async ({ jobs }, lost) => {
      const stop = AbortSignal.any([lost, closing.signal]);
      const runs = [];
      for (const job of jobs) {
        const outcome = await runRepricing(context, job, stop);
        if (outcome !== null) runs.push({ job, outcome });
      }
      return runs;
    },
    alone: postgres.mode === 'embedded',
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'repricings' });
      log.error({ err: error }, 'a repricing failed unexpectedly and will be tried again');
    },
  });
  return {
    ownPrices: (projectId) => cache.of(projectId),
    runPending: () => workers.runPending(),
    routes: (server) => pricesRoutes(server, context),
    jobs: [
      {
        name: 'record-failed-repricings',
        everyMs: cleanupEveryMs,
        changes: ['postgres'],
        run: () => recordFailedRepricings(context),
      },
    ],
    startWorkers: () => workers.start(),
    close: async () => {
      closing.abort();
      await workers.stop();
      cache.close();
    },
  };
}
