import { readFilter } from '../../../contract/filter/read-filter.ts';
import { allOf } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { spansMeeting } from '../../traces/index.ts';
import type { Condition } from '../condition.ts';

/** Of calls or spans that started between `{fromMs:Int64}` and `{beforeMs:Int64}` (exclusive). */
export const inWindow = `start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})`;
/** Of calls: the hours of the window, by which they are sorted. */
export const hours = `hour >= toStartOfHour(fromUnixTimestamp64Milli({fromMs:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Milli({beforeMs:Int64}))`;

/** The expression of a rule's filter; undefined without one. */
export function expressionOf({ filter: { expression } }: Pick<Condition, 'filter'>): string | undefined {
  return expression === undefined || expression.trim() === '' ? undefined : expression;
}

/**
 * The conditions on a call of the window that its span meets the expression of a rule; none without one. Only the spans of traces with a call in the window are
 * read; replaced calls may add traces.
 *
 * @param nowMs moments such as `-2h` count back from it
 * Errors: `invalid_filter` for an expression that a later release does not read.
 */
export function callsMeeting(condition: Pick<Condition, 'filter'>, nowMs: number): SqlPart {
  const filter = readFilter(expressionOf(condition), 'spans', nowMs, '/filter/expression');
  if (filter === null) return allOf([]);
  const among = { text: `SELECT trace_id FROM calls WHERE ${hours} AND ${inWindow}`, parameters: {} };
  const spans = spansMeeting(filter, among, { text: inWindow, parameters: {} });
  return { text: `(trace_id, span_id) GLOBAL IN (\n${spans.text}\n)`, parameters: spans.parameters };
}
