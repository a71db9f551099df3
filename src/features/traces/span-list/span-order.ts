import type { SpanSort } from '../../../contract/spans.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { spanNumbers } from '../filter/span-values.ts';
import { isFloat64, isInt64 } from '../list-cursor.ts';
import type { ListPosition } from '../list-cursor.ts';

/** The order of a list of spans: by one value and, among equal values, by trace and span id in the same direction. */
export interface SpanOrder {
  /** The value as SQL; never NULL. */
  column: string;
  /** SQL of a position's value, bound as the parameter of this name. */
  valueOf(parameter: string): string;
  /** SQL of the value as the text of a position. */
  text: string;
  descending: boolean;
  /** Whether the order is that of time, in which a list is read in parts. */
  byTime: boolean;
  isValue(text: string): boolean;
}

const figures: Readonly<Record<string, string>> = spanNumbers;

/** The order that a `sort` names. A span without the figure is last in either direction; that of a score is the column `figure`. */
export function spanOrder(sort: SpanSort): SpanOrder {
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  if (name === 'startTime') {
    return {
      column: 'start_time',
      valueOf: (parameter) => `fromUnixTimestamp64Nano({${parameter}:Int64})`,
      text: 'toString(reinterpretAsInt64(start_time))',
      descending,
      byTime: true,
      isValue: isInt64,
    };
  }
  const column = `ifNull(toFloat64(${figures[name] ?? 'figure'}), ${descending ? '-1e300' : '1e300'})`;
  return {
    column,
    valueOf: (parameter) => `{${parameter}:Float64}`,
    text: `toString(${column})`,
    descending,
    byTime: false,
    isValue: isFloat64,
  };
}

/** `ORDER BY` of an order. */
export function orderBy({ column, descending }: SpanOrder): string {
  const direction = descending ? ' DESC' : '';
  return `ORDER BY ${column}${direction}, trace_id${direction}, span_id${direction}`;
}

/** The condition that a span is after a position. */
export function behind({ column, valueOf, descending }: SpanOrder, { value, id }: ListPosition): SqlPart {
  const sign = descending ? '<' : '>';
  const [traceId, spanId] = JSON.parse(id) as [string, string];
  return {
    text: `(${column}, trace_id, span_id) ${sign} (${valueOf('afterValue')}, {afterTrace:String}, {afterSpan:String})`,
    parameters: { afterValue: value, afterTrace: traceId, afterSpan: spanId },
  };
}

/** Whether a text is the id of a position: of a trace and a span. */
export function isSpanId(id: string): boolean {
  try {
    const ids: unknown = JSON.parse(id);
    return Array.isArray(ids) && ids.length === 2 && ids.every((one) => typeof one === 'string');
  } catch {
    return false;
  }
}
