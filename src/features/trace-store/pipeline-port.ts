import type { OwnPrices } from '../pricing/index.ts';
import type { IngestBatch } from '../records/index.ts';
import type { SpanHeader } from './tables/spans.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** The tenant of a request. */
export interface IngestTenant {
  projectId: string;
  organizationId: string;
}

/** A validated OTLP request as it was sent. It is decoded again when its batch is built. */
export interface OtlpRequest {
  /** As sent, in its `contentEncoding` (`''`: none). */
  body: Buffer;
  contentEncoding: string;
  encoding: 'protobuf' | 'json';
  inflatedBytes: number;
  /** Time of arrival, against which the times of its spans were checked, epoch milliseconds. */
  nowMs: number;
  oldestMs: number;
  spanCount: number;
  maxScores: number;
  /** See {@link IngestPipeline.passThresholds}; needed when there may be scores. */
  passThresholds: ReadonlyMap<string, number>;
  /** The project's own prices at its arrival: a batch that is built again gives the same costs. */
  ownPrices: OwnPrices;
}

/** The pipeline as the ingestion routes and other features use it. */
export interface IngestPipeline {
  /**
   * Accepts the events of one request. Resolves after the fsync of the log; only then may the request be acknowledged.
   * `quotaCount` count against the organization's monthly quota, unless another replica has counted the same body, identified by
   * `bodyDigest` (base64 of a SHA-256; without it the events always count).
   * Rejects with `ServiceError('unavailable')` with `retryAfterSeconds` when the log is full or cannot be written.
   */
  accept(tenant: IngestTenant, batch: IngestBatch, quotaCount: number, bodyDigest?: string): Promise<void>;
  /** The same for an OTLP request with at least one accepted span. */
  acceptOtlp(tenant: IngestTenant, request: OtlpRequest, quotaCount: number, bodyDigest?: string): Promise<void>;
  /**
   * The pass thresholds of the project by evaluator, for scores without `passed`. To be called before the quota is taken, since nothing may
   * be awaited between the quota and the acceptance.
   */
  passThresholds(projectId: string): Promise<ReadonlyMap<string, number>>;
  /** Resolves when everything accepted before the call is in ClickHouse and readable. */
  drain(): Promise<void>;
  /**
   * Deletes a trace with its spans, scores and outcomes. Resolves when no read or figure includes it; false when there is no such trace.
   *
   * @param onBegun called in the transaction that records the deletion, once
   */
  deleteTrace(tenant: IngestTenant, traceId: string, onBegun?: OnDeletionBegun): Promise<boolean>;
  /**
   * Deletes many traces, by few inserts for all of them. Resolves when no read or figure includes them.
   *
   * @param onBegun called in the transaction that records the deletion of some of them, and for a very large trace perhaps more than once
   * @returns those that were stored
   */
  deleteTraces(tenant: IngestTenant, traceIds: readonly string[], onBegun?: OnDeletionsBegun): Promise<Set<string>>;
  /** Changes the tags of traces; see {@link changeTags}. To be called by one process at a time. */
  changeTags(tenant: IngestTenant, traceIds: readonly string[], change: TagChange): Promise<Map<string, TagFailure>>;
  /** Events of the project that are acknowledged and not yet in ClickHouse. */
  pendingEvents(projectId: string): number;
  /** How long the oldest of them has waited, in milliseconds; 0 without any. */
  pendingMs(projectId: string): number;
  /** When this process last accepted an event, and a span, of the project; epoch milliseconds, 0 for never. */
  lastActivity(projectId: string): { eventMs: number; spanMs: number };
  /** Events of the organization that are acknowledged and not yet counted in `usage_months`, by month (`YYYY-MM-01`). */
  uncountedEvents(organizationId: string, month: string): number;
}

/** An hour of a project whose figures have changed. */
export interface TouchedHour {
  projectId: string;
  /** Start of the hour, epoch seconds. */
  hour: number;
}

/** Newly written spans of a project. */
export interface WrittenSpans {
  projectId: string;
  /** In order of arrival, with a trace's own records (`spanId` `''`); a span that was sent twice appears twice. */
  spans: ReadonlyArray<
    Pick<
      SpanHeader,
      | 'traceId'
      | 'spanId'
      | 'parentSpanId'
      | 'kind'
      | 'startNs'
      | 'endNs'
      | 'model'
      | 'agentName'
      | 'environment'
      | 'tags'
      | 'sessionId'
      | 'source'
      | 'origin'
    >
  >;
  /** When the last of them arrived, epoch milliseconds. */
  receivedMs: number;
}

/** Code that a feature runs when spans have become readable. */
export interface SpanConsumer {
  /** For the log and the metrics. */
  name: string;
  /** Whether it consumes spans of a project. Asked for each written segment, so it must be cheap. */
  wanted(projectId: string): Promise<boolean>;
  /** Consumes the spans of one segment, of the projects that it wants. Retried when it rejects and repeated after a crash. */
  run(projects: readonly WrittenSpans[]): Promise<void>;
}

/** What a deletion found of its trace. */
export interface FoundTrace {
  /** Without the trace's own record. */
  spans: number;
  /** Of the earliest span, epoch milliseconds; null for a trace without spans. */
  startMs: number | null;
}

/** @param transaction that records the deletion: it is completed from its commit on, over crashes too */
export type OnDeletionBegun = (transaction: Transaction, found: FoundTrace) => Promise<void>;

/** What a deletion of many traces found of one. */
export interface BegunTrace extends FoundTrace {
  traceId: string;
}

/** @param transaction that records the deletions: they are completed from its commit on, over crashes too */
export type OnDeletionsBegun = (transaction: Transaction, begun: readonly BegunTrace[]) => Promise<void>;

/** Tags that traces get and that they lose. */
export interface TagChange {
  add?: readonly string[];
  remove?: readonly string[];
}

/** Why the tags of a trace were not changed. */
export type TagFailure = 'missing' | 'full';

/** Hooks that a feature may return from its `open`, called when traces are written and deleted. */
export interface TraceHooks {
  onSpansWritten?: SpanConsumer;
  /** Deletes what the feature keeps of a trace that is deleted. May be repeated. */
  onTraceDeleted?(projectId: string, traceId: string): Promise<void>;
  /** The same for many traces at once; without it {@link TraceHooks.onTraceDeleted} is called for each. */
  onTracesDeleted?(projectId: string, traceIds: readonly string[]): Promise<void>;
  /**
   * Deletes what people and jobs made from traces, such as dataset items, when all data of a user are deleted (docs/semantics.md, "Deletion of user data"):
   * called before the traces are. A deletion of traces alone leaves it. May be repeated.
   */
  forgetMadeFrom?(tenant: IngestTenant, deleted: DeletedData): Promise<void>;
}

/** What is being deleted of a user. */
export interface DeletedData {
  traceIds: readonly string[];
  /** Sessions of these traces in which no other user takes part. */
  sessionIds: readonly string[];
}
