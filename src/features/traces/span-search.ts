import { indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';

/**
 * The condition that a span of the trace contains a text in its name, error, input or output, case-insensitively and without wildcards,
 * or that the text, without the spaces around it, is the beginning of its id or its trace's.
 * Inputs and outputs are JSON, in which the text may be escaped, so both forms are searched.
 *
 * @param among a SELECT of trace ids; only their spans are read
 */
export function spanSearch(q: string, among: SqlPart): SqlPart {
  const escaped = JSON.stringify(q).slice(1, -1);
  const idQ = q.trim().toLowerCase();
  const found = [
    ...['name', 'error_message', 'error_code', 'input', 'output'].map((column) => occurs(column, 'q')),
    ...(idQ === '' ? [] : ['trace_id', 'span_id']).map((column) => `startsWith(lower(${column}), {idQ:String})`),
    ...(escaped === q ? [] : ['input', 'output'].map((column) => occurs(column, 'escapedQ'))),
  ];
  return {
    text: `trace_id IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id IN (
      ${indented(among.text, 6)}
    )
    WHERE ${found.join('\n      OR ')}
  )`,
    parameters: { ...among.parameters, q, idQ, ...(escaped === q ? {} : { escapedQ: escaped }) },
  };
}

function occurs(column: string, parameter: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {${parameter}:String}) > 0`;
}
