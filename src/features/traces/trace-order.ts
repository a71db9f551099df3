import type { traceSorts, TraceSort } from '../../contract/kinds.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { evaluatorOf, joinedScores } from './latest-scores.ts';
import { isFloat64, isInt64 } from './list-cursor.ts';
import type { ListPosition } from './list-cursor.ts';

/** The order of a list of traces: by one column and, among equal values, by trace id in the same direction. */
export interface TraceOrder {
  /** The column as SQL. */
  column: string;
  /** What the summaries are joined with for the column. */
  join?: SqlPart;
  /** SQL of a position's value, bound as the parameter of this name. */
  valueOf(parameter: string): string;
  /** SQL of the column's value as the text of a position. */
  text: string;
  descending: boolean;
  /** Whether the table is sorted by this order, so that a part can be read without the rest. */
  sorted: boolean;
  isValue(text: string): boolean;
  /** Negative when the first value sorts before the second one, ascending. */
  compare(left: string, right: string): number;
}

const startTime = {
  column: 'start_time',
  valueOf: (parameter: string) => `fromUnixTimestamp64Nano({${parameter}:Int64})`,
  text: 'toString(reinterpretAsInt64(start_time))',
  sorted: true,
  isValue: isInt64,
  compare: (left: string, right: string) => Number(BigInt(left) - BigInt(right)),
};

function byNumber(column: string): Omit<TraceOrder, 'descending'> {
  return {
    column,
    valueOf: (parameter) => `{${parameter}:Float64}`,
    text: `toString(${column})`,
    sorted: false,
    isValue: isFloat64,
    compare: (left, right) => Number(left) - Number(right),
  };
}

/** A running trace has no latency and sorts last in either direction. */
const traceOrders: Record<(typeof traceSorts)[number], TraceOrder> = {
  '-startTime': { ...startTime, descending: true },
  startTime: { ...startTime, descending: false },
  '-latency': { ...byNumber('ifNull(duration_ms, -1)'), descending: true },
  latency: { ...byNumber('ifNull(duration_ms, 1e300)'), descending: false },
  '-cost': { ...byNumber('cost'), descending: true },
  cost: { ...byNumber('cost'), descending: false },
};

/** The order that a `sort` names. A trace without a score of the evaluator is last in either direction. */
export function traceOrder(sort: TraceSort): TraceOrder {
  const evaluator = evaluatorOf(sort);
  if (evaluator === null) return traceOrders[sort as keyof typeof traceOrders];
  const descending = sort.startsWith('-');
  return {
    ...byNumber(`ifNull(figure, ${descending ? '-1e300' : '1e300'})`),
    join: joinedScores('traces', evaluator),
    descending,
  };
}

/** `ORDER BY` of an order. */
export function orderBy({ column, descending }: TraceOrder): string {
  const direction = descending ? ' DESC' : '';
  return `ORDER BY ${column}${direction}, trace_id${direction}`;
}

/** Negative when the first position is before the second one in a list of this order. */
export function comparePositions({ compare, descending }: TraceOrder, left: ListPosition, right: ListPosition): number {
  const ascending = compare(left.value, right.value) || compareCodePoints(left.id, right.id);
  return descending ? -ascending : ascending;
}

/** The condition that a trace is after a position. */
export function behind(order: TraceOrder, position: ListPosition): SqlPart {
  return compared(order, position, order.descending ? '<' : '>', order.descending ? '<' : '>', 'after');
}

/** The condition that a trace is before a position or at it. */
export function upTo(order: TraceOrder, position: ListPosition): SqlPart {
  return compared(order, position, order.descending ? '>' : '<', order.descending ? '>=' : '<=', 'last');
}

/** The plain comparison comes first, since ClickHouse's primary key analysis uses it. */
function compared(order: TraceOrder, { value, id }: ListPosition, strictly: string, orEqual: string, name: string): SqlPart {
  const bound = order.valueOf(`${name}Value`);
  const text = `${order.column} ${strictly}= ${bound} AND (${order.column} ${strictly} ${bound} OR trace_id ${orEqual} {${name}Id:String})`;
  return { text, parameters: { [`${name}Value`]: value, [`${name}Id`]: id } };
}
