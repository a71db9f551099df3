import { noOwnPrices } from '../pricing/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import type { IngestBatch } from '../records/index.ts';
import { normaliseSpan, resourceFields } from './mapping/normalise-span.ts';
import { maxScoresOf, scoreEvents } from './mapping/score-events.ts';
import { sharedResource, sharedScope } from './mapping/span-extra.ts';
import { SpanView } from './readers/span-view.ts';
import { decodeOtlpJson } from './wire/decode-json.ts';
import { decodeOtlpProtobuf } from './wire/decode-protobuf.ts';
import type { OtlpSpan, OtlpTraces, ScopeSpans } from './wire/model.ts';
import { dayMs } from '../../contract/durations.ts';

/** Spans of a request that are read; later ones are rejected: docs/semantics.md, "OTLP requests". */
export const maxSpans = 512;

export type OtlpEncoding = 'protobuf' | 'json';

export interface ReadOtlpOptions {
  /** Arrival, in epoch milliseconds; times more than 24 hours later are rejected. */
  nowMs: number;
  /** The retention edge, in epoch milliseconds; spans that start earlier are rejected. */
  oldestMs: number;
  /** The project's own prices; default: none. */
  ownPrices?: OwnPrices;
}

/** The result of a request, without its spans. */
export interface OtlpCheck {
  accepted: number;
  /** The sum of `rejections`. */
  rejected: number;
  rejections: Rejections;
  /** The most scores that the accepted spans can hold. */
  maxScores: number;
  /** Numbers of spans by instrumentation scope, at most {@link maxScopes} entries; one of them includes the spans of further scopes and skipped spans. */
  scopes: ScopeCounts[];
}

/** Numbers of spans of an instrumentation scope. */
export interface ScopeCounts {
  name: string;
  version: string;
  accepted: number;
  rejected: number;
}

const maxScopes = 20;

/** Numbers of rejected spans by reason. */
export interface Rejections {
  /** After the first {@link maxSpans}. */
  overLimit: number;
  invalidId: number;
  enumNotInteger: number;
  timeOutOfRange: number;
}

export interface OtlpReading extends Omit<OtlpCheck, 'maxScores' | 'scopes'> {
  /** The accepted spans and their scores. */
  batch: IngestBatch;
}

/**
 * Validates a decompressed body of `POST /v1/traces` with the result of {@link readOtlpTraces}, without mapping its spans.
 * @throws OtlpDecodeError when the body is not an ExportTraceServiceRequest
 */
export function checkOtlpTraces(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpCheck {
  const traces = decode(body, encoding);
  const limits = timeLimits(options);
  const rejections = noRejections(traces);
  const scopes = new Map<string, ScopeCounts>();
  let accepted = 0;
  let maxScores = 0;
  let counts: ScopeCounts | undefined;
  for (const resource of traces.resourceSpans) {
    for (const scope of resource.scopeSpans) {
      counts = countsOf(scopes, scope, counts);
      for (const span of scope.spans) {
        const reason = rejection(span, limits);
        if (reason !== undefined) {
          rejections[reason]++;
          counts.rejected++;
          continue;
        }
        accepted++;
        counts.accepted++;
        if (span.events.length > 0) maxScores += maxScoresOf(span.events);
      }
    }
  }
  if (counts) counts.rejected += traces.skippedSpans;
  return { accepted, rejected: sumOf(rejections), rejections, maxScores, scopes: [...scopes.values()] };
}

/** The counts of a scope; for a new scope beyond {@link maxScopes} the counts of the scope before it. */
function countsOf(
  scopes: Map<string, ScopeCounts>,
  { name, version }: Pick<ScopeSpans, 'name' | 'version'>,
  last: ScopeCounts | undefined,
): ScopeCounts {
  const key = `${name}\0${version}`;
  const known = scopes.get(key);
  if (known) return known;
  if (last && scopes.size >= maxScopes) return last;
  const counts = { name, version, accepted: 0, rejected: 0 };
  scopes.set(key, counts);
  return counts;
}

function decode(body: Buffer, encoding: OtlpEncoding): OtlpTraces {
  return encoding === 'protobuf' ? decodeOtlpProtobuf(body, maxSpans) : decodeOtlpJson(body, maxSpans);
}

function noRejections(traces: OtlpTraces): Rejections {
  return { overLimit: traces.skippedSpans, invalidId: 0, enumNotInteger: 0, timeOutOfRange: 0 };
}

function sumOf({ overLimit, invalidId, enumNotInteger, timeOutOfRange }: Rejections): number {
  return overLimit + invalidId + enumNotInteger + timeOutOfRange;
}

/**
 * Reads the spans and scores of a decompressed body of `POST /v1/traces`: docs/semantics.md, "OTLP requests".
 * @throws OtlpDecodeError when the body is not an ExportTraceServiceRequest
 */
export function readOtlpTraces(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpReading {
  const traces = decode(body, encoding);
  const limits = timeLimits(options);
  const rejections = noRejections(traces);
  const batch: IngestBatch = { spans: [], scores: [] };
  const view = new SpanView();
  const ownPrices = options.ownPrices ?? noOwnPrices;
  for (const resource of traces.resourceSpans) {
    view.reset(resource.attributes, null);
    const fields = resourceFields(view);
    const shared = sharedResource(resource.attributes);
    for (const scope of resource.scopeSpans) {
      const scopeName = scope.name.slice(0, 1024);
      const sharedFields = { ...fields, scopeName, resource: shared, scope: sharedScope(scope), ownPrices };
      for (const span of scope.spans) {
        const reason = rejection(span, limits);
        if (reason !== undefined) {
          rejections[reason]++;
          continue;
        }
        const record = normaliseSpan(span, sharedFields, view);
        batch.spans.push(record);
        if (span.events.length > 0) {
          const times = { oldestMs: options.oldestMs, newestMs: options.nowMs + dayMs };
          // Do not spread: may exceed the engine's argument limit.
          for (const score of scoreEvents(span.events, record, times)) batch.scores.push(score);
        }
      }
    }
  }
  return { batch, accepted: batch.spans.length, rejected: sumOf(rejections), rejections };
}

interface TimeLimits {
  oldestNs: bigint;
  newestNs: bigint;
}

function timeLimits(options: ReadOtlpOptions): TimeLimits {
  return {
    oldestNs: BigInt(Math.max(Math.ceil(options.oldestMs), 1)) * 1_000_000n,
    newestNs: BigInt(Math.floor(options.nowMs) + dayMs) * 1_000_000n,
  };
}

function rejection(span: OtlpSpan, limits: TimeLimits): keyof Rejections | undefined {
  if (!isId(span.traceId, 32) || !isId(span.spanId, 16)) return 'invalidId';
  // Zeros are valid: some senders write them for a root.
  if (span.parentSpanId !== '' && !isHex(span.parentSpanId, 16)) return 'invalidId';
  if (span.enumNotInteger) return 'enumNotInteger';
  if (span.startNs < limits.oldestNs || span.startNs > limits.newestNs) return 'timeOutOfRange';
  if (span.endNs < 0n || span.endNs > limits.newestNs) return 'timeOutOfRange';
  return undefined;
}

function isId(text: string, length: number): boolean {
  return isHex(text, length) && !isZero(text);
}

/** Whether a text is `length` lower-case hex digits; both decoders return ids in lower case. */
function isHex(text: string, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66))) return false;
  }
  return true;
}

function isZero(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== 0x30) return false;
  return true;
}
