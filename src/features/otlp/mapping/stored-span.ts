import type { SpanRecord } from '../../records/index.ts';
import { findValue, KeyValueList, type Attributes, type AttributeValue } from '../wire/attribute.ts';
import { emptySpan, type OtlpEvent, type OtlpSpan } from '../wire/model.ts';
import { storedAttributes } from './stored-value.ts';

/** The stored span that {@link restoreSpan} reads. */
export type StoredSpan = Omit<SpanRecord, 'scopeName' | 'responseId' | 'traceName' | 'toolName'>;

/** A span as it was received, without its status, which is not stored as it was sent. */
export interface RestoredSpan {
  span: OtlpSpan;
  scopeName: string;
  resource: Attributes;
}

/** Restores the OTLP span and its resource's attributes from the stored span. */
export function restoreSpan(stored: StoredSpan): RestoredSpan {
  const extra = storedAttributes(stored.extra);
  return {
    scopeName: String(findValue(attributesIn(findValue(extra, 'scope')), 'name') ?? ''),
    resource: attributesIn(findValue(extra, 'resource')),
    span: {
      ...emptySpan(),
      traceId: stored.traceId,
      spanId: stored.spanId,
      parentSpanId: stored.parentSpanId,
      name: stored.name,
      startNs: stored.startNs,
      endNs: stored.endNs ?? 0n,
      attributes: [...storedAttributes(stored.attributes)],
      events: eventsIn(findValue(extra, 'events')),
    },
  };
}

function attributesIn(value: AttributeValue | undefined): Attributes {
  return value instanceof KeyValueList ? value.attributes : [];
}

function eventsIn(value: AttributeValue | undefined): OtlpEvent[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly AttributeValue[]).map((item) => {
    const event = attributesIn(item);
    return {
      name: String(findValue(event, 'name') ?? ''),
      timeNs: BigInt(String(findValue(event, 'timeUnixNano') ?? 0)),
      attributes: [...attributesIn(findValue(event, 'attributes'))],
    };
  });
}
