import type { IngestBatch } from '../../records/index.ts';
import { TraceDeletions } from '../deletion/trace-deletions.ts';
import type { TraceDeletionsOptions } from '../deletion/trace-deletions.ts';
import { changeTags } from '../change-tags.ts';
import { Backlog } from '../log/backlog.ts';
import type {
  IngestPipeline,
  IngestTenant,
  OnDeletionBegun,
  OnDeletionsBegun,
  OtlpRequest,
  SpanConsumer,
  TagChange,
  TagFailure,
} from '../pipeline-port.ts';
import { ExclusiveSection } from './exclusive-section.ts';
import { RequestAcceptor } from './request-acceptor.ts';
import { RowVersions } from './row-versions.ts';
import { SegmentLoop } from './segment-loop.ts';
import type { SegmentLoopOptions } from './segment-loop.ts';
import { SpanConsumers } from './span-consumers.ts';

export interface PipelineOptions extends SegmentLoopOptions, Pick<TraceDeletionsOptions, 'deletions'> {
  /** Called when a span consumer failed; it is retried with the same spans. Default: `onWriteError`. */
  onConsumerError?(consumer: string, error: unknown): void;
}

/** Hooks of features that are opened after the pipeline. */
export interface PipelineHooks extends Pick<TraceDeletionsOptions, 'onTracesDeleted'> {
  /** See {@link SpanConsumers}. */
  spanConsumers?: readonly SpanConsumer[];
  /** The pass thresholds of a project by evaluator, for scores without `passed`. Never rejects. */
  passThresholds?(projectId: string): Promise<ReadonlyMap<string, number>>;
}

/**
 * Stores accepted requests as rows in ClickHouse. Requests are appended to the log and acknowledged after its fsync ({@link RequestAcceptor}); a loop
 * writes them in batches ({@link SegmentLoop}). Batches, deletions and other changes of stored rows run one after the other.
 */
export class Pipeline implements IngestPipeline {
  readonly #options: PipelineOptions;
  readonly #backlog = new Backlog();
  readonly #versions: RowVersions;
  readonly #exclusive = new ExclusiveSection();
  readonly #acceptor: RequestAcceptor;
  readonly #loop: SegmentLoop;
  readonly #deletions: TraceDeletions;
  #hooks: PipelineHooks = {};
  #spanConsumers: SpanConsumers | null = null;

  /** The pipeline is idle until {@link start}. */
  constructor(options: PipelineOptions) {
    this.#options = options;
    const { log, clock, clickhouse } = options;
    const backlog = this.#backlog;
    const versions = new RowVersions(clock, clickhouse.mode);
    const exclusive = this.#exclusive;
    this.#versions = versions;
    this.#loop = new SegmentLoop(options, { versions, backlog, exclusive });
    this.#acceptor = new RequestAcceptor({ log, clock, versions, backlog, onAppended: () => this.#loop.schedule() });
    const onTracesDeleted = async (projectId: string, traceIds: readonly string[]) =>
      this.#hooks.onTracesDeleted?.(projectId, traceIds);
    this.#deletions = new TraceDeletions({ ...options, onTracesDeleted }, (work) => exclusive.run(work));
  }

  /** Makes a pipeline and starts it. */
  static async open(options: PipelineOptions & PipelineHooks): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    await pipeline.start(options);
    return pipeline;
  }

  /**
   * Starts the pipeline; to be called once, before events are accepted. Finishes deletions that an earlier process began. Segments that it
   * left in the log are written first.
   */
  async start(hooks: PipelineHooks): Promise<void> {
    this.#hooks = hooks;
    const { log, builder, usage, onWriteError } = this.#options;
    const { onConsumerError: onError = (_consumer, error) => onWriteError(error) } = this.#options;
    const { spanConsumers: consumers = [] } = hooks;
    if (consumers.length > 0) this.#spanConsumers = new SpanConsumers({ log, builder, consumers, onError });
    this.#versions.begin(await usage.highestVersion());
    await this.#deletions.finishOfEarlier();
    await this.#loop.start(this.#spanConsumers);
  }

  accept(tenant: IngestTenant, batch: IngestBatch, quotaCount: number, bodyDigest = ''): Promise<void> {
    return this.#acceptor.accept(tenant, batch, quotaCount, bodyDigest);
  }

  acceptOtlp(tenant: IngestTenant, request: OtlpRequest, quotaCount: number, bodyDigest = ''): Promise<void> {
    return this.#acceptor.acceptOtlp(tenant, request, quotaCount, bodyDigest);
  }

  async passThresholds(projectId: string): Promise<ReadonlyMap<string, number>> {
    return (await this.#hooks.passThresholds?.(projectId)) ?? new Map();
  }

  async drain(): Promise<void> {
    await this.#exclusive.run(() => this.#loop.writeAll());
    await this.#spanConsumers?.tried();
  }

  /**
   * Runs `work` while no batch is written and no trace deleted. Requests are still accepted and wait in the log.
   *
   * @param work gets a version above those of all written rows, and below those of rows that are written later
   */
  whileStill<T>(work: (version: number) => Promise<T>): Promise<T> {
    return this.#exclusive.run(() => work(this.#versions.aboveWritten()));
  }

  async deleteTrace(tenant: IngestTenant, traceId: string, onBegun?: OnDeletionBegun): Promise<boolean> {
    return this.#exclusive.run(async () => {
      await this.#loop.writeAll();
      return this.#deletions.delete(tenant.projectId, traceId, this.#versions.aboveWritten(), onBegun);
    });
  }

  async deleteTraces(tenant: IngestTenant, traceIds: readonly string[], onBegun?: OnDeletionsBegun): Promise<Set<string>> {
    return this.#exclusive.run(async () => {
      await this.#loop.writeAll();
      return this.#deletions.deleteMany(tenant.projectId, traceIds, this.#versions.aboveWritten(), onBegun);
    });
  }

  async changeTags(
    { projectId }: IngestTenant,
    traceIds: readonly string[],
    change: TagChange,
  ): Promise<Map<string, TagFailure>> {
    return this.#exclusive.run(async () => {
      await this.#loop.writeAll();
      const version = this.#versions.aboveWritten();
      const failed = await changeTags(this.#options, projectId, traceIds, change, { version, nowMs: this.#options.clock.now() });
      this.#versions.keepAbove(version);
      this.#versions.written(version);
      return failed;
    });
  }

  pendingEvents(projectId: string): number {
    return this.#backlog.events(projectId);
  }

  pendingMs(projectId: string): number {
    return this.#backlog.waitedMs(projectId, this.#options.clock.now());
  }

  lastActivity(projectId: string): { eventMs: number; spanMs: number } {
    return this.#backlog.lastActivity(projectId, this.#options.clock.now());
  }

  uncountedEvents(organizationId: string, month: string): number {
    return this.#backlog.counted(organizationId, month);
  }

  /** Tries for a few seconds to write the rest of the log to ClickHouse, then stops. The remainder is written at the next start. */
  async close(): Promise<void> {
    this.#loop.stop();
    await this.#deletions.close();
    await this.#loop.close();
    await this.#spanConsumers?.close();
  }
}
