import type { SpanRecord } from '../span.ts';
import { findValue, KeyValueList, type Attributes, type AttributeValue } from './attribute.ts';
import { emptySpan, type OtlpEvent, type OtlpSpan } from './model.ts';
import { storedAttributes } from './stored-value.ts';

/** A stored span as far as its fields are explained from it. */
export type StoredSpan = Omit<SpanRecord, 'scopeName'>;

/** What is left of a span as it came: all but its status, of which what was made of it is stored. */
export interface SpanAsItCame {
  span: OtlpSpan;
  resource: Attributes;
}

/** Puts an OTLP span together again from what is stored of it. */
export function spanAsItCame(stored: StoredSpan): SpanAsItCame {
  const extra = storedAttributes(stored.extra);
  return {
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
