import type { QueryParameters } from './clickhouse.ts';

/**
 * A statement whose `{name:Type}` parameters stand in it as literals, which the engine reads as it would a bound value. Parameters may be
 * texts, numbers, bigints, and arrays of them. What has no value is left for the engine to refuse.
 *
 * For the embedded engine: its own binding lets one statement with parameters run at a time in the whole process
 * (chdb 3.4.0, `globalParamChain` in its index.js), so that reads waited for each other and for whatever a job was doing.
 */
export function withLiterals(sql: string, parameters: QueryParameters): string {
  return sql.replaceAll(/\{(\w+):([\w(), ]+)\}/g, (placeholder, name: string, type: string) => {
    if (!Object.hasOwn(parameters, name)) return placeholder;
    const value = parameters[name];
    return type === 'String' && typeof value === 'string' ? quoted(value) : `CAST(${quoted(textOf(value))}, ${quoted(type)})`;
  });
}

/** Text as a literal of the engine's SQL: of what it holds, only these two characters could end it. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** As a column of the parameter's type is read from text; what stands in an array is quoted. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => (typeof item === 'string' ? quoted(item) : textOf(item))).join(',')}]`;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new TypeError(`a parameter of a statement cannot be a ${value === null ? 'null' : typeof value}`);
}
