import type { IngestBatch } from '../span.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';
import type { OtlpSpan, OtlpTraces } from './model.ts';
import { normaliseSpan, resourceFields } from './normalise-span.ts';
import { mostScoresOf, scoreEvents } from './score-events.ts';
import { sharedResource, sharedScope } from './span-extra.ts';
import { SpanView } from './span-view.ts';

/** Spans of one request that are taken: the first in order (public interface, "Limits"). */
export const mostSpans = 512;

const dayMs = 86_400_000;

export type OtlpEncoding = 'protobuf' | 'json';

export interface ReadOtlpOptions {
  /** Epoch milliseconds; times more than 24 h after are rejected. */
  nowMs: number;
  /** Epoch milliseconds: the plan's retention; spans that start before are rejected. */
  oldestMs: number;
}

/** What becomes of a request, without its spans. */
export interface OtlpCheck {
  accepted: number;
  /** The sum of `rejections`. */
  rejected: number;
  rejections: Rejections;
  /** At most so many scores are in the accepted spans. */
  mostScores: number;
}

/** Why spans were not stored. */
export interface Rejections {
  /** Behind the first 512. */
  overLimit: number;
  invalidId: number;
  enumNotInteger: number;
  timeOutOfRange: number;
}

export interface OtlpReading extends Omit<OtlpCheck, 'mostScores'> {
  /** Its `accepted` spans. */
  batch: IngestBatch;
}

/**
 * Judges an inflated body of `POST /v1/traces` as {@link readOtlpTraces} does, and reads no more than that needs.
 * @throws OtlpDecodeError when the body is no ExportTraceServiceRequest
 */
export function checkOtlpTraces(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpCheck {
  const traces = decode(body, encoding);
  const limits = timeLimits(options);
  const rejections = noRejections(traces);
  let accepted = 0;
  let mostScores = 0;
  for (const resource of traces.resourceSpans) {
    for (const scope of resource.scopeSpans) {
      for (const span of scope.spans) {
        const reason = rejection(span, limits);
        if (reason !== undefined) {
          rejections[reason]++;
          continue;
        }
        accepted++;
        if (span.events.length > 0) mostScores += mostScoresOf(span.events);
      }
    }
  }
  return { accepted, rejected: sumOf(rejections), rejections, mostScores };
}

function decode(body: Buffer, encoding: OtlpEncoding): OtlpTraces {
  return encoding === 'protobuf' ? decodeOtlpProtobuf(body, mostSpans) : decodeOtlpJson(body, mostSpans);
}

function noRejections(traces: OtlpTraces): Rejections {
  return { overLimit: traces.skippedSpans, invalidId: 0, enumNotInteger: 0, timeOutOfRange: 0 };
}

function sumOf({ overLimit, invalidId, enumNotInteger, timeOutOfRange }: Rejections): number {
  return overLimit + invalidId + enumNotInteger + timeOutOfRange;
}

/**
 * Reads an inflated body of `POST /v1/traces` (contract section 3). The first 512 spans are taken as they stand and validated
 * then; the rest is rejected. An empty protobuf body is a valid request without spans, an empty JSON body is not JSON.
 * @throws OtlpDecodeError when the body is no ExportTraceServiceRequest
 */
export function readOtlpTraces(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpReading {
  const traces = decode(body, encoding);
  const limits = timeLimits(options);
  const rejections = noRejections(traces);
  const batch: IngestBatch = { spans: [], scores: [] };
  const view = new SpanView();
  for (const resource of traces.resourceSpans) {
    view.look(resource.attributes, null);
    const fields = resourceFields(view);
    const shared = sharedResource(resource.attributes);
    for (const scope of resource.scopeSpans) {
      const surroundings = { ...fields, scopeName: scope.name.slice(0, 1024), resource: shared, scope: sharedScope(scope) };
      for (const span of scope.spans) {
        const reason = rejection(span, limits);
        if (reason !== undefined) {
          rejections[reason]++;
          continue;
        }
        const record = normaliseSpan(span, surroundings, view);
        batch.spans.push(record);
        if (span.events.length > 0) {
          const times = { oldestMs: options.oldestMs, newestMs: options.nowMs + dayMs };
          // One by one: a stack does not hold as many arguments as a span may have events.
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
  // Some senders write a root's missing parent as zeros.
  if (span.parentSpanId !== '' && !isHex(span.parentSpanId, 16)) return 'invalidId';
  if (span.enumNotInteger) return 'enumNotInteger';
  if (span.startNs < limits.oldestNs || span.startNs > limits.newestNs) return 'timeOutOfRange';
  if (span.endNs < 0n || span.endNs > limits.newestNs) return 'timeOutOfRange';
  return undefined;
}

function isId(text: string, length: number): boolean {
  return isHex(text, length) && !isZero(text);
}

/** Hex digits, lower-case: both readers write them so. */
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
