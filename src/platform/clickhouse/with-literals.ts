import type { QueryParameters } from './query-parameters.ts';

/**
 * A statement with its `{name:Type}` parameters replaced by literals, which the engine reads like bound values. Parameters are texts, numbers, bigints, and arrays of them. A
 * parameter without a value stays, and the engine refuses it.
 *
 * For the embedded engine: chdb 3.4.0 runs statements with bound parameters one at a time in the whole process (`globalParamChain` in its index.js),
 * so reads would wait for each other and for jobs.
 */
export function withLiterals(sql: string, parameters: QueryParameters): string {
  return sql.replaceAll(/\{(\w+):([\w(), ]+)\}/g, (placeholder, name: string, type: string) => {
    if (!Object.hasOwn(parameters, name)) return placeholder;
    const value = parameters[name];
    return type === 'String' && typeof value === 'string' ? quoted(value) : `CAST(${quoted(textOf(value))}, ${quoted(type)})`;
  });
}

/** A text as a literal of the engine's SQL. Only the two escaped characters could end it. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** The text form that a column of the parameter's type is read from; elements of an array are quoted. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => (typeof item === 'string' ? quoted(item) : textOf(item))).join(',')}]`;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new TypeError(`a parameter of a statement cannot be a ${value === null ? 'null' : typeof value}`);
}
