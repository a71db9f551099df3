import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { QueueWorkers } from '../../platform/jobs/leased-queue/index.ts';
import { turnLimits, Turns } from '../../platform/budgets/index.ts';
import { HttpClient } from '../../platform/net/index.ts';
import type { HttpClientOptions } from '../../platform/net/index.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import { endItemsOfFailedRuns } from './batch-runs/end-items.ts';
import { removeUnpreparedRuns } from './batch-runs/preparing-runs.ts';
import { batchRunRoutes } from './batch-runs/routes.ts';
import { batchRunPool, openBatchRunQueue } from './batch-runs/run-queue.ts';
import type { BatchRunTable } from './batch-runs/run-queue.ts';
import { GateStatistics } from './gate/gate-statistics.ts';
import { gateRoutes } from './gate/routes.ts';
import { SlotAborted } from './running/batch-execution.ts';
import { runBatch } from './running/run-batch.ts';
import { RunningRuns } from './running/running-runs.ts';
import { sealHeaders } from './scenarios/seal-headers.ts';
import { scenarioRoutes } from './scenarios/routes.ts';
import type { SimulationsContext, SimulationsPorts } from './simulations-context.ts';
import { OutputReader } from './targets/output-reader.ts';
import { tryRate, tryRoutes } from './trying/routes.ts';

export interface SimulationsFeature extends Feature {
  context: SimulationsContext;
  /** Executes every run that is due now; for workers that were not started. @returns runs */
  runPending(): Promise<number>;
}

/**
 * How HTTP targets are reached, for tests, which have no public server. The address policy applies to what they return: nothing in the running service sets
 * this, and nothing lifts the policy.
 */
export type TargetNetwork = Pick<HttpClientOptions, 'resolve' | 'makeConnector'>;

/** Runs of this process, and of one project in it. */
const concurrency = 20;
const maxOfProject = 10;
const cleanupEveryMs = 10 * 60_000;

/** Scenarios, their batch runs and the gate. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clock' | 'buckets' | 'metrics' | 'log' | 'secret'>,
  { network = {}, ...ports }: SimulationsPorts & { network?: TargetNetwork | undefined },
): SimulationsFeature {
  const { postgres, clock, metrics, log, secret } = platform;
  const db = postgres.db;
  const http = new HttpClient({ ...network, addresses: 'public-only', connectionsPerOrigin: turnLimits.batchItems.running });
  const buckets = openRateLimit(platform, tryRate, 'tried items');
  const statistics = new GateStatistics();
  const outputReader = new OutputReader();
  const running = new RunningRuns();
  const queue = openBatchRunQueue({ db, clock, metrics: metrics.queues.of('simulation_batch_runs') });
  const context: SimulationsContext = {
    ...ports,
    db,
    clock,
    box: new SecretBox({ secret, purpose: 'simulation-target' }),
    http,
    outputReader,
    queue,
    running,
    statistics,
    wake: () => workers.wake(),
  };
  const slots = new Turns(turnLimits.batchItems, {
    busy: () => new SlotAborted('too many items wait'),
    aborted: () => new SlotAborted(),
  });
  const workers = new QueueWorkers<BatchRunTable['payload'], BatchRunTable['results'], BatchRunTable['sums']>({
    queue,
    name: 'simulations',
    clock,
    pools: [{ name: batchRunPool, concurrency, batchSize: 1, maxOfProject }],
    run: ({ jobs }, lost) => Promise.all(jobs.map(async (job) => ({ job, outcome: await runBatch(context, slots, job, lost) }))),
    alone: postgres.mode === 'embedded',
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'simulations' });
      log.error({ err: error }, 'a batch run failed unexpectedly and will be tried again');
    },
  });
  return {
    context,
    runPending: () => workers.runPending(),
    routes: (server) => {
      scenarioRoutes(server, context);
      batchRunRoutes(server, context);
      gateRoutes(server, context);
      tryRoutes(server, { ...context, slots }, buckets);
    },
    jobs: [
      {
        name: 'simulation-cleanup',
        everyMs: cleanupEveryMs,
        changes: ['postgres'],
        run: async () => {
          await endItemsOfFailedRuns(db);
          await removeUnpreparedRuns(db, clock.now());
        },
      },
      {
        name: 'seal-headers',
        everyMs: cleanupEveryMs,
        changes: ['postgres'],
        run: (signal) => sealHeaders(context, signal),
      },
    ],
    startWorkers: () => workers.start(),
    close: async () => {
      running.stop();
      await workers.stop();
      await http.close();
      await statistics.close();
      await outputReader.close();
    },
  };
}
