import { EvaluationError } from '../types/evaluator-type.ts';

const deepest = 500;

/**
 * One text for every way to write a JSON value: keys by code unit, no blanks, numbers as JavaScript writes them.
 *
 * @param mapText what to make of each string value; names of fields stay as they are
 *
 * Errors: {@link EvaluationError} for what is nested more than 500 levels deep.
 */
export function canonicalJson(value: unknown, mapText: (text: string) => string = (text) => text): string {
  return written(value, mapText, 0);
}

function written(value: unknown, mapText: (text: string) => string, depth: number): string {
  if (depth > deepest) throw nestedTooDeeply();
  if (typeof value === 'string') return JSON.stringify(mapText(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((entry) => written(entry, mapText, depth + 1)).join(',')}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields)
    .filter((name) => fields[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${written(fields[name], mapText, depth + 1)}`).join(',')}}`;
}

/** The error of an evaluation whose value is nested too deeply to be looked at. */
export function nestedTooDeeply(): EvaluationError {
  return new EvaluationError(`The value is nested more than ${deepest} levels deep; record a flatter one.`, { retryable: false });
}

/** The text of a value: a string itself, anything else as canonical JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** A text without the difference of case, by Unicode's full mappings: `ẞ`, `ß`, `SS` and `ss` become one. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
