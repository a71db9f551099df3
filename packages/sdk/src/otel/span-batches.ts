import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { utf8Length } from '../json-text.ts';

/** Spans of a request, the limit of the service. */
export const maxSpans = 512;
/** Bytes of a request before compression; the service takes 1 MiB after it. */
const maxBytes = 1_000_000;
/** What a span, an event, a link and an attribute take beside their texts, at most. */
const [spanBytes, partBytes, attributeBytes] = [120, 60, 16];

/** Batches of spans for one request each, in order. A span that is larger than a request is alone: compressed it may fit. */
export function batchesOfSpans(spans: readonly ReadableSpan[]): ReadableSpan[][] {
  const batches: ReadableSpan[][] = [];
  let batch: ReadableSpan[] = [];
  let bytes = 0;
  for (const span of spans) {
    const size = sizeOf(span);
    if (batch.length > 0 && (batch.length >= maxSpans || bytes + size > maxBytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(span);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** About how many bytes a span takes in protobuf. */
function sizeOf({ name, attributes, events, links, status }: ReadableSpan): number {
  let size = spanBytes + utf8Length(name) + utf8Length(status.message ?? '') + sizeOfAttributes(attributes);
  for (const event of events) size += partBytes + utf8Length(event.name) + sizeOfAttributes(event.attributes);
  for (const link of links) size += partBytes + sizeOfAttributes(link.attributes);
  return size;
}

function sizeOfAttributes(attributes: object = {}): number {
  let size = 0;
  for (const [name, value] of Object.entries(attributes)) size += attributeBytes + utf8Length(name) + sizeOfValue(value);
  return size;
}

function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 8 + sizeOfValue(one), 0);
  if (typeof value === 'object' && value !== null) return sizeOfAttributes(value);
  return 9;
}
