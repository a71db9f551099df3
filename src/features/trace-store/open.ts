import type { Feature, Platform } from '../../platform/feature/index.ts';
import { BatchBuilderThread } from './batches/batch-builder-thread.ts';
import { deletePayloads } from './deletion/delete-payloads.ts';
import { DeletionStore } from './deletion/deletion-store.ts';
import { backfillGraph } from './graph-backfill/backfill-graph.ts';
import { UsageStore } from './log/usage-store.ts';
import type { TouchedHour, TraceHooks } from './pipeline-port.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import type { PipelineHooks } from './pipeline/pipeline.ts';
import { reconcileTraces } from './reconciliation/reconcile-traces.ts';
import { TraceNotes } from './reconciliation/trace-notes.ts';
import { applyCosts } from './repricing/apply-costs.ts';
import { planRepricing } from './repricing/plan-repricing.ts';
import type { RepricingPort } from './repricing/repricing-port.ts';
import { backfillSearch } from './search/backfill-search.ts';
import { SearchIndex } from './search/search-index.ts';
import { spanTexts } from './search/span-texts.ts';
import { spanHeaders } from './tables/span-headers.ts';
import { setScoreScale } from './set-score-scale.ts';
import type { UnscaledScores } from './set-score-scale.ts';

export interface TraceStorePorts {
  /** Marks the hours whose figures change. */
  hourStates: {
    mark(hours: readonly TouchedHour[]): Promise<void>;
    /** Marks every hour that was marked at or after `sinceMs` (epoch milliseconds). */
    markTouchedSince(sinceMs: number): Promise<void>;
  };
}

export interface TraceStoreFeature extends Feature {
  pipeline: Pipeline;
  usage: UsageStore;
  /**
   * Starts the pipeline; to be called once, when every feature is open and before events are accepted.
   *
   * @param features their hooks are called in this order
   */
  start(features: readonly TraceHooks[], passThresholds: NonNullable<PipelineHooks['passThresholds']>): Promise<void>;
  /** Writes what is in the log, then gives stored scores of an evaluator its scale; see {@link setScoreScale}. */
  setScoreScale(unscaled: UnscaledScores, scale: readonly [number, number] | null): Promise<void>;
  repricing: RepricingPort;
  search: SearchIndex;
}

const reconcileEveryMs = 1_000;
const backfillEveryMs = 10_000;
const forgetEveryMs = 10 * 60_000;
const payloadsEveryMs = 10_000;

/** Stores spans and scores: the write-ahead log, the batches that write it to ClickHouse, deletion and reconciliation. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clickhouse' | 'wal' | 'clock' | 'log' | 'metrics' | 'replicated'>,
  { hourStates }: TraceStorePorts,
): TraceStoreFeature {
  const { postgres, clickhouse, wal, clock, log, metrics, replicated } = platform;
  const usage = new UsageStore(postgres.db, wal.id);
  const builder = new BatchBuilderThread(clickhouse, (error) =>
    log.error({ err: error }, 'what ClickHouse holds could not be learnt; every trace will be looked up'),
  );
  const markHours = (hours: readonly TouchedHour[]) => hourStates.mark(hours);
  const deletions = new DeletionStore(postgres.db, clock);
  const search = new SearchIndex(clickhouse, postgres.db);
  const addWords = () =>
    search
      .addWords()
      .catch((error: unknown) => log.warn({ err: error }, 'ClickHouse has no index of words; searches read the texts'));
  const notes = replicated ? new TraceNotes(postgres.db, wal.id) : null;
  const pipeline = new Pipeline({
    clickhouse,
    builder,
    notes,
    log: wal,
    logId: wal.id,
    usage,
    clock,
    markHours,
    markHoursSince: (sinceMs) => hourStates.markTouchedSince(sinceMs),
    deletions,
    onWriteError: (error) => {
      metrics.batchErrors.inc();
      log.error({ err: error }, 'a batch could not be written to ClickHouse and will be tried again');
    },
    onConsumerError: (consumer, error) => {
      metrics.jobErrors.inc({ job: `${consumer}-spans` });
      log.error({ err: error, consumer }, 'a span consumer failed and will be tried again');
    },
    onUnreadable: async (record, name, reason) => {
      await wal.setAside(name, record);
      log.error({ record: name, reason }, 'an unreadable record of the write-ahead log was moved to quarantine');
    },
  });
  return {
    pipeline,
    usage,
    search,
    start: async (features, passThresholds) => {
      await addWords();
      await pipeline.start({
        spanConsumers: features.flatMap(({ onSpansWritten }) => onSpansWritten ?? []),
        passThresholds,
        onTracesDeleted: async (projectId, traceIds) => {
          for (const { onTraceDeleted, onTracesDeleted } of features) {
            if (onTracesDeleted) await onTracesDeleted(projectId, traceIds);
            else if (onTraceDeleted) for (const traceId of traceIds) await onTraceDeleted(projectId, traceId);
          }
        },
      });
    },
    setScoreScale: async (unscaled, scale) => {
      await pipeline.drain();
      await pipeline.whileStill(() => setScoreScale({ clickhouse, builder, markHours }, unscaled, scale));
    },
    repricing: {
      drain: () => pipeline.drain(),
      plan: (range, after, upTo) => planRepricing(clickhouse, range, after, upTo),
      apply: (projectId, changes) =>
        pipeline.whileStill((version) => applyCosts({ clickhouse, builder, notes, markHours }, projectId, changes, version)),
      markHoursSince: (sinceMs) => hourStates.markTouchedSince(sinceMs),
    },
    jobs: [
      {
        name: 'forget-usage',
        everyMs: forgetEveryMs,
        changes: ['postgres'],
        run: () => usage.forgetOld(clock.now()),
      },
      {
        name: 'delete-payloads',
        everyMs: payloadsEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: (signal) => deletePayloads({ clickhouse, deletions }, signal),
      },
      {
        name: 'backfill-graph',
        everyMs: backfillEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: (signal) => backfillGraph({ clickhouse, postgres: postgres.db, markHours }, signal),
      },
      {
        name: 'backfill-search',
        everyMs: backfillEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: (signal) => backfillSearch({ clickhouse, postgres: postgres.db, clock, copies: [spanTexts, spanHeaders] }, signal),
      },
      ...(replicated
        ? [
            {
              name: 'reconcile-traces',
              everyMs: reconcileEveryMs,
              changes: ['clickhouse', 'postgres'] as const,
              run: () => reconcileTraces({ clickhouse, postgres: postgres.db, markHours }),
            },
          ]
        : []),
    ],
    close: async () => {
      await pipeline.close();
      await builder.close();
    },
  };
}
