import { EvaluationError } from '../evaluation-error.ts';

const deepest = 500;

/**
 * Canonical JSON: keys sorted by code unit, no whitespace, numbers as JavaScript writes them.
 *
 * @param mapText applied to each string value, not to keys
 *
 * Errors: {@link EvaluationError} for a value with more than 500 levels.
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

/** The error of an evaluation whose value has too many levels. */
export function nestedTooDeeply(): EvaluationError {
  return new EvaluationError(`The value is nested more than ${deepest} levels deep; record a flatter one.`, { retryable: false });
}

/** A string as it is, any other value as canonical JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** Folds case by Unicode's full mappings: `ẞ`, `ß`, `SS` and `ss` become equal. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
