import type { Filter } from '../../../contract/filter/ast.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { Binder } from './binder.ts';
import { spanCondition } from './span-conditions.ts';
import { traceFilter } from './trace-filter.ts';

/**
 * A SELECT of `trace_id` and `span_id` of the spans among some traces that meet a filter (docs/filter.md).
 *
 * @param filter read with `on: 'spans'`
 * @param among a SELECT of the trace ids
 * @param where a further condition on the spans
 */
export function spansMeeting(filter: Filter, among: SqlPart, where?: SqlPart): SqlPart {
  const binder = new Binder('met', among);
  const met = allOf([...(where === undefined ? [] : [where]), binder.part(spanCondition(filter, binder))]);
  return {
    text: `SELECT trace_id, span_id FROM spans FINAL
PREWHERE trace_id GLOBAL IN (
  ${indented(among.text, 2)}
)
WHERE span_id != '' AND ${met.text}`,
    parameters: { ...among.parameters, ...met.parameters },
  };
}

/**
 * A SELECT of `trace_id` and `session_id` of the traces among some that meet a filter (docs/filter.md).
 *
 * @param filter read with `on: 'traces'`
 * @param among a SELECT of the trace ids
 */
export function tracesMeeting(filter: Filter, among: SqlPart): SqlPart {
  const { ofSummary, ofMembers } = traceFilter(filter);
  const named: SqlPart = {
    text: `trace_id GLOBAL IN (\n  ${indented(among.text, 2)}\n)`,
    parameters: among.parameters,
  };
  const met = allOf([named, ...ofSummary, ...ofMembers.map((condition) => condition(among))]);
  return { text: `SELECT trace_id, session_id FROM traces FINAL\nWHERE ${met.text}`, parameters: met.parameters };
}
