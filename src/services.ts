import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { datasetsContext, readRunItems, saveRunScores } from './features/datasets/index.ts';
import { Evaluation, EvaluationQueue, openMeasures } from './features/evaluation/index.ts';
import { bootstrap, identityContext } from './features/identity/index.ts';
import type { FirstStart, IdentityContext } from './features/identity/index.ts';
import { BatchBuilderThread, ingestContext, Pipeline, UsageStore } from './features/ingest/index.ts';
import type { IngestContext } from './features/ingest/index.ts';
import { HourStates } from './features/models/index.ts';
import { promptsContext } from './features/prompts/index.ts';
import type { Clock } from './platform/clock/clock.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
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
  /** Deletes a trace with everything that quotes it. */
  deleteTrace: Pipeline['deleteTrace'];
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
  const identity = identityContext(postgres.db, clock);
  const firstStart = await postgres.withLock('spanwise-first-start', () => bootstrap(identity, config));
  const hourStates = new HourStates(postgres.db, clock);
  const usage = new UsageStore(postgres.db, wal.id);
  const queue = new EvaluationQueue({ postgres, clickhouse, clock });
  const { pipeline, close: closePipeline } = await openPipeline(stores, { hourStates, usage, queue }, options);
  const measuring = openMeasures({ database: postgres.db, clock, secret: config.secretKey ?? directory.secretKey() });
  const evaluation = new Evaluation(queue, {
    pipeline,
    measures: measuring.measures,
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
  return {
    stores,
    clock,
    identity,
    firstStart,
    hourStates,
    usage,
    pipeline,
    ingest: ingestContext(pipeline, usage, clock),
    evaluation,
    connections: measuring.connections,
    datasets: datasetsContext(postgres.db, {
      clock,
      clickhouse,
      temporaryDirectory: directory.temporary,
      onRunItemsAdded: queue.onRunItemsAdded,
    }),
    prompts,
    deleteTrace: async (tenant, traceId) => {
      const deleted = await pipeline.deleteTrace(tenant, traceId);
      await evaluation.forgetTrace(tenant.projectId, traceId);
      return deleted;
    },
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
  { clickhouse, wal }: Stores,
  { hourStates, usage, queue }: PipelineParts,
  { log, clock, metrics }: ServicesOptions,
): Promise<{ pipeline: Pipeline; close(): Promise<void> }> {
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
    followUp: { wanted: queue.wanted, run: queue.onWritten },
    passThresholds: queue.passThresholds,
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
