import type { SqlPart } from './sql-part.ts';

/**
 * The condition that a span of the trace contains a text in its name, error, input or output, case-insensitively and without wildcards,
 * or that the text is the beginning of its id or its trace's.
 * Inputs and outputs are JSON, in which the text may be escaped, so both forms are searched.
 *
 * @param candidates condition on traces; only spans of matching traces are read
 */
export function spanSearch(q: string, candidates: SqlPart): SqlPart {
  const escaped = JSON.stringify(q).slice(1, -1);
  const found = [
    ...['name', 'error_message', 'error_code', 'input', 'output'].map((column) => occurs(column, 'q')),
    ...['trace_id', 'span_id'].map((column) => `startsWith(${column}, {q:String})`),
    ...(escaped === q ? [] : ['input', 'output'].map((column) => occurs(column, 'escapedQ'))),
  ];
  return {
    text: `trace_id IN (
    SELECT trace_id FROM spans FINAL
    PREWHERE trace_id IN (
      SELECT trace_id FROM traces FINAL
      WHERE ${candidates.text.replaceAll('\n', '\n      ')}
    )
    WHERE ${found.join('\n      OR ')}
  )`,
    parameters: { ...candidates.parameters, q, ...(escaped === q ? {} : { escapedQ: escaped }) },
  };
}

function occurs(column: string, parameter: string): string {
  return `positionCaseInsensitiveUTF8(${column}, {${parameter}:String}) > 0`;
}
