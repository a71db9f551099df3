import type { Logger } from 'pino';
import type { Config } from './config.ts';
import {
  datasetsContext,
  forgetScoresOfTrace,
  placesOfRunItems,
  readRunItems,
  saveRunScores,
} from './features/datasets/index.ts';
import { Evaluation, EvaluationQueue, openMeasures } from './features/evaluation/index.ts';
import { bootstrap, identityContext } from './features/identity/index.ts';
import type { FirstStart, IdentityContext } from './features/identity/index.ts';
import {
  BatchBuilderThread,
  DeletionStore,
  ingestContext,
  ingestRate,
  Pipeline,
  TraceNotes,
  UsageStore,
} from './features/ingest/index.ts';
import type { IngestContext } from './features/ingest/index.ts';
import { HourStates } from './features/models/index.ts';
import { promptsContext } from './features/prompts/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { requireSameSecret } from './platform/postgres/index.ts';
import { SharedTokenBuckets, TokenBuckets } from './platform/rate-limit/index.ts';
import type { RateLimit } from './platform/rate-limit/index.ts';
import type { Stores } from './stores.ts';

/** What the features work with, over the stores. */
export interface Services {
  stores: Stores;
  clock: Clock;
  identity: IdentityContext;
  /** What to tell the operator once; null when the storage was not empty. */
  firstStart: FirstStart | null;
  hourStates: HourStates;
  usage: UsageStore;
  pipeline: Pipeline;
  ingest: IngestContext;
  evaluation: Evaluation;
  connections: ReturnType<typeof openMeasures>['connections'];
  datasets: ReturnType<typeof datasetsContext>;
  prompts: ReturnType<typeof promptsContext>;
  /** Finishes what is under way; the stores stay open. */
  close(): Promise<void>;
}

interface ServicesOptions {
  log: Logger;
  clock: Clock;
  metrics: Metrics;
}

/** Opens everything between the stores and the routes. */
export async function openServices(config: Config, stores: Stores, options: ServicesOptions): Promise<Services> {
  const { postgres, clickhouse, wal, directory } = stores;
  const { log, clock, metrics } = options;
  const secret = config.secretKey ?? directory.secretKey();
  // The embedded database lies beside the secret, and nobody else has it.
  if (postgres.mode === 'server') await requireSameSecret(postgres.db, secret);
  const identity = identityContext(postgres.db, clock);
  const firstStart = await postgres.withLock('spanwise-first-start', () => bootstrap(identity, config));
  const hourStates = new HourStates(postgres.db, clock);
  const usage = new UsageStore(postgres.db, wal.id);
  const queue = new EvaluationQueue({ postgres, clickhouse, clock });
  const { pipeline, close: closePipeline } = await openPipeline(stores, { hourStates, usage, queue }, options);
  const measuring = openMeasures({ database: postgres.db, clock, secret });
  const evaluation = new Evaluation(queue, {
    pipeline,
    measures: measuring.measures,
    runItems: {
      read: (ids) => readRunItems(postgres.db, ids),
      places: (projectId, ids) => placesOfRunItems(postgres.db, projectId, ids),
      save: (scores) => saveRunScores(postgres.db, clock, scores),
    },
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'evaluations' });
      log.error({ err: error }, 'an evaluation failed for a reason that is not its own');
    },
  });
  const prompts = promptsContext(postgres, clickhouse, clock);
  return {
    stores,
    clock,
    identity,
    firstStart,
    hourStates,
    usage,
    pipeline,
    ingest: ingestContext(pipeline, usage, clock, openRateLimit(stores, options)),
    evaluation,
    connections: measuring.connections,
    datasets: datasetsContext(postgres.db, {
      clock,
      clickhouse,
      temporaryDirectory: directory.temporary,
      onRunItemsAdded: queue.onRunItemsAdded,
    }),
    prompts,
    close: async () => {
      prompts.cache.close();
      await evaluation.stop();
      await measuring.close();
      await closePipeline();
    },
  };
}

interface PipelineParts {
  hourStates: HourStates;
  usage: UsageStore;
  queue: EvaluationQueue;
}

async function openPipeline(
  { clickhouse, postgres, wal }: Stores,
  { hourStates, usage, queue }: PipelineParts,
  { log, clock, metrics }: ServicesOptions,
): Promise<{ pipeline: Pipeline; close(): Promise<void> }> {
  const builder = new BatchBuilderThread(clickhouse, (error) =>
    log.error({ err: error }, 'what ClickHouse holds could not be learnt; every trace will be looked up'),
  );
  const pipeline = await Pipeline.open({
    clickhouse,
    builder,
    notes: replicasMayWrite({ postgres, clickhouse }) ? new TraceNotes(postgres.db, wal.id) : null,
    log: wal,
    logId: wal.id,
    usage,
    clock,
    markHours: (hours) => hourStates.mark(hours),
    markHoursSince: (sinceMs) => hourStates.markTouchedSince(sinceMs),
    followUp: { wanted: queue.wanted, run: queue.onWritten },
    passThresholds: queue.passThresholds,
    deletions: new DeletionStore(postgres.db, clock),
    onTraceDeleted: async (projectId, traceId) => {
      await queue.onTraceDeleted(projectId, traceId);
      await forgetScoresOfTrace(postgres.db, projectId, traceId);
    },
    onWriteError: (error) => {
      metrics.batchErrors.inc();
      log.error({ err: error }, 'a batch could not be written to ClickHouse and will be tried again');
    },
    onUnreadable: async (record, name, reason) => {
      await wal.setAside(name, record);
      log.error({ record: name, reason }, 'a record of the write-ahead log could not be read and was put aside');
    },
  });
  const close = async () => {
    await pipeline.close();
    await builder.close();
  };
  return { pipeline, close };
}

function openRateLimit({ buckets: store }: Stores, { log, clock }: ServicesOptions): RateLimit {
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

/** Whether other processes may write to the same stores: an embedded one is this process's own. */
export function replicasMayWrite({ postgres, clickhouse }: Pick<Stores, 'postgres' | 'clickhouse'>): boolean {
  return postgres.mode === 'server' && clickhouse.mode === 'http';
}
