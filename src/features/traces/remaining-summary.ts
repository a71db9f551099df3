import { indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import { isSetupSql, originSql } from '../records/index.ts';
import { agentNameSql, maxTags } from '../trace-store/index.ts';

/** The columns of a span that a summary is made of, renamed: a summary has columns of the same names. */
const spanColumns = `trace_id, span_id AS id, parent_span_id AS parent, span_id != '' AS is_span, start_time AS began, end_time AS ended, name AS span_name,
      trace_name AS given_name, status = 'error' AS failed, error_code AS failure, leftUTF8(error_message, 200) AS failure_message,
      toString(model) AS called, if(agent_name = '' AND kind = 'agent', ${agentNameSql('span_name')}, toString(agent_name)) AS agent, session_id AS session, user_id AS user, toString(environment) AS env,
      toString(release) AS released, tags AS labels, cost_usd AS dollars, cost_status AS priced, input_tokens AS tokens_in, output_tokens AS tokens_out,
      cached_tokens AS tokens_cached, reasoning_tokens AS tokens_reasoned, input_preview AS shown_input, output_preview AS shown_output,
      ${isSetupSql} AS prepares, ${originSql} AS made_for`;

/**
 * The summaries of traces, of the retained records alone (docs/semantics.md, "Partly expired traces"): a SELECT whose columns are those of table `traces`.
 * Follows `viewTrace`, except that the table `calls` determines which spans are calls: those are the calls of the model figures.
 *
 * @param traces a SELECT of trace ids
 * @param edgeMs retention edge of the reader, epoch milliseconds
 */
export function remainingSummaries(traces: SqlPart, edgeMs: number): SqlPart {
  const among = indented(traces.text, 8);
  return {
    text: `SELECT trace_id, ${summary}
  FROM (
    SELECT ${spanColumns}, added_tags, removed_tags,
      (trace_id, span_id) GLOBAL IN (
        SELECT trace_id, span_id FROM calls FINAL
        WHERE model != '' AND hour >= toStartOfHour(fromUnixTimestamp64Milli({edge:Int64})) AND hour <= toStartOfHour((SELECT max(start_time) FROM spans PREWHERE trace_id GLOBAL IN (
        ${among}
        ))) AND trace_id GLOBAL IN (
        ${among}
        )
      ) AS is_call,
      is_call OR (is_span AND kind IN ('llm', 'embedding') AND model = '') AS counts,
      parent_span_id != '' AND (trace_id, parent_span_id) GLOBAL IN (
        SELECT trace_id, span_id FROM spans FINAL
        PREWHERE trace_id GLOBAL IN (
        ${among}
        )
        WHERE span_id != ''
      ) AS has_parent,
      (span_id = '', has_parent, start_time, span_id) AS place,
      (span_id = '', parent_span_id != '', has_parent, start_time, span_id) AS true_place
    FROM spans FINAL
    GLOBAL ANY LEFT JOIN (
      SELECT trace_id, added AS added_tags, removed AS removed_tags FROM trace_tags FINAL WHERE trace_id GLOBAL IN (
        ${among}
      )
    ) AS changed USING (trace_id)
    PREWHERE trace_id GLOBAL IN (
        ${among}
    )
  )
  GROUP BY trace_id`,
    parameters: { ...traces.parameters, edge: edgeMs },
  };
}

/** The value of the trace's own record; `''` without one. */
const ofRecord = (column: string) => `anyIf(${column}, NOT is_span)`;
/** The value of the root: of the first span without a parent in the trace, in a cycle of the first span. */
const ofRoot = (column: string) => `argMin(${column}, place)`;
/** The content of the own record, the root, or the first or last call by start: the depth is that of spans that may be gone. */
const contentOr = (column: string, ofCalls: 'argMinIf' | 'argMaxIf') =>
  `multiIf(${ofRecord(column)} != '', ${ofRecord(column)}, ${ofRoot(column)} != '', ${ofRoot(column)},
    ${ofCalls}(${column}, (began, id), counts AND ${column} != ''))`;
/** The first value of the own record, the root, and the spans by start. */
const first = (column: string) =>
  `multiIf(${ofRecord(column)} != '', ${ofRecord(column)}, ${ofRoot(column)} != '', ${ofRoot(column)},
    argMinIf(${column}, (began, id), is_span AND ${column} != ''))`;
const ofLastFailed = (column: string) => `argMaxIf(${column}, (began, id), is_span AND failed)`;
const names = (column: string, condition: string) => `arraySort(groupUniqArrayIf(${column}, ${condition} AND ${column} != ''))`;
/** As floats: the sum of hostile numbers would exceed 64 bits. */
const tokens = (column: string) =>
  `toUInt64(least(sumIf(toFloat64(ifNull(${column}, 0)), counts), toFloat64(${Number.MAX_SAFE_INTEGER})))`;

/** The name of the own record; the name that a span gives the trace, the first one without a parent id before others; the name of that span. */
const traceName = `multiIf(${ofRecord('span_name')} != '', ${ofRecord('span_name')},
    argMin(given_name, true_place) != '', argMin(given_name, true_place),
    countIf(is_span AND given_name != '') > 0, argMinIf(given_name, (began, id), is_span AND given_name != ''),
    argMin(span_name, true_place))`;

/** Those of the spans, as people have changed them: added ones are always among them. */
const ofSpans = `arraySlice(arrayDistinct(arrayConcat(anyIf(labels, NOT is_span),
      arrayFlatten(arrayMap(x -> tupleElement(x, 3), arraySort(groupArrayIf((began, id, labels), is_span)))))), 1, ${maxTags})`;
const fresh = `arrayFilter(x -> NOT has(${ofSpans}, x), any(added_tags))`;
const tags = `arrayConcat(arraySlice(arrayFilter(x -> NOT has(any(removed_tags), x), ${ofSpans}), 1, ${maxTags} - length(${fresh})), ${fresh})`;

const isMade = "is_span AND made_for != 'application'";
const summary = `${traceName} AS name, toUInt32(countIf(is_span)) AS span_count,
    if(span_count > 0, minIf(began, is_span), min(began)) AS start_time, maxIf(ended, is_span) AS end_time,
    if(isNull(end_time), NULL, greatest(0, reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6) AS duration_ms,
    ${first('session')} AS session_id,
    ${first('user')} AS user_id,
    ${first('env')} AS environment,
    ${first('released')} AS release,
    ${tags} AS tags,
    toUInt32(countIf(is_span AND failed)) AS error_count, toUInt8(error_count > 0) AS error,
    ${ofLastFailed('failure')} AS error_code, ${ofLastFailed('failure_message')} AS error_message,
    toUInt32(countIf(is_call)) AS call_count,
    toUInt32(countIf(is_call AND priced = 'unpriced')) AS unpriced_calls, toUInt32(countIf(is_call AND priced = 'partly_priced')) AS partly_priced_calls, ${names('called', 'is_call')} AS models,
    ${names('agent', 'is_span')} AS agents, sumKahanIf(ifNull(dollars, 0), counts) AS cost,
    ${tokens('tokens_in')} AS input_tokens, ${tokens('tokens_out')} AS output_tokens,
    ${tokens('tokens_cached')} AS cached_tokens, ${tokens('tokens_reasoned')} AS reasoning_tokens,
    ${contentOr('shown_input', 'argMinIf')} AS input_preview, ${contentOr('shown_output', 'argMaxIf')} AS output_preview,
    toUInt8(span_count > 0 AND error_count = 0 AND countIf(is_span AND NOT prepares) = 0) AS is_setup,
    if(countIf(${isMade}) = 0, 'application', argMinIf(made_for, (parent != '', began, id), ${isMade})) AS origin,
    toUInt32(0) AS depth`;
