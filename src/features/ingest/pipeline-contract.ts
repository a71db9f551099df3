import type { OtlpEncoding } from './otlp/index.ts';
import type { SpanOutline } from './pipeline/span-row.ts';
import type { IngestBatch } from './span.ts';

/** Whose events a batch holds. */
export interface IngestTenant {
  projectId: string;
  organizationId: string;
}

/** A checked OTLP request as it came. It is read again, and for good, when its batch is built. */
export interface OtlpRequest {
  /** As sent, in its `contentEncoding` (`''`: none). */
  body: Buffer;
  contentEncoding: string;
  encoding: OtlpEncoding;
  inflatedBytes: number;
  /** What its spans' times were judged by, epoch milliseconds. */
  nowMs: number;
  oldestMs: number;
  acceptedSpans: number;
  mostScores: number;
  /** See {@link IngestPipeline.passThresholds}; needed when there may be scores. */
  passThresholds: ReadonlyMap<string, number>;
}

/** What the ingestion routes and other features need of the pipeline behind them. */
export interface IngestPipeline {
  /**
   * Takes the events of one request. Resolves once they are fsynced in the log: only then may the request be acknowledged.
   * `countedEvents` is what they add to the organisation's monthly quota, unless another replica has counted the same body: `bodyDigest`
   * names it (base64 of a SHA-256; none: it counts by itself).
   * Rejects with `ServiceError('unavailable')` with `retryAfterSeconds` when the log is full or cannot be written.
   */
  accept(tenant: IngestTenant, batch: IngestBatch, countedEvents: number, bodyDigest?: string): Promise<void>;
  /** The same for an OTLP request with at least one span that is accepted. */
  acceptOtlp(tenant: IngestTenant, request: OtlpRequest, countedEvents: number, bodyDigest?: string): Promise<void>;
  /**
   * From which score on a score of the project has passed that does not say so itself, by evaluator. To be asked before the quota, since
   * nothing may be awaited between that and the acceptance.
   */
  passThresholds(projectId: string): Promise<ReadonlyMap<string, number>>;
  /** Resolves when everything accepted before the call is in ClickHouse and readable. */
  drain(): Promise<void>;
  /** Makes a trace, its spans and its scores leave every read and figure; resolves when it has. False when there is no such trace. */
  deleteTrace(tenant: IngestTenant, traceId: string): Promise<boolean>;
  /** Events of the project that are acknowledged and not yet in ClickHouse. */
  pendingEvents(projectId: string): number;
  /** When this process last accepted an event, and a span, of the project; epoch milliseconds, 0 when it has not. */
  lastActivity(projectId: string): { eventMs: number; spanMs: number };
  /** Events of the organisation that are acknowledged and not yet counted in `usage_months`, by month (`YYYY-MM-01`). */
  uncountedEvents(organizationId: string, month: string): number;
}

/** An hour of a project whose figures have changed. */
export interface TouchedHour {
  projectId: string;
  /** Start of the hour, epoch seconds. */
  hour: number;
}

/** Spans of a project that have just become readable. */
export interface WrittenSpans {
  projectId: string;
  /** In the order in which they came, a trace's own record (`spanId` `''`) among them; a span that was sent twice is there twice. */
  spans: ReadonlyArray<
    Pick<
      SpanOutline,
      | 'traceId'
      | 'spanId'
      | 'parentSpanId'
      | 'kind'
      | 'endNs'
      | 'model'
      | 'agentName'
      | 'environment'
      | 'tags'
      | 'sessionId'
      | 'source'
    >
  >;
  /** When the last of them came, epoch milliseconds. */
  receivedMs: number;
}
