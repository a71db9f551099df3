import { KeyValueList, valueJson, type PresentValue } from '../wire/attribute.ts';
import type { Reader } from './convention.ts';
import { isJsonStructure } from './is-json-structure.ts';
import { parseJson } from './parse-json.ts';

/**
 * Reads an input or output as JSON text. A text that is a JSON array or object is returned unchanged, any other text as a JSON
 * string, a structured value as JSON; an empty value is undefined.
 */
export const payload: Reader<string> = (value) => (typeof value === 'string' ? textPayload(value) : structured(value));

/** Reads a payload of a convention that encodes every value as JSON, scalars included. */
export const jsonPayload: Reader<string> = (value) => {
  if (typeof value !== 'string') return structured(value);
  if (value === '' || value === '""') return undefined;
  return parseJson(value) === undefined ? JSON.stringify(value) : value;
};

/** Reads a list of JSON texts as one JSON array. */
export const jsonListPayload: Reader<string> = (value, span) => {
  if (!Array.isArray(value)) return jsonPayload(value, span);
  const items = (value as readonly unknown[]).map((item) =>
    typeof item === 'string' && parseJson(item) !== undefined ? item : valueJson(item as PresentValue),
  );
  return items.length === 0 ? undefined : `[${items.join(',')}]`;
};

function textPayload(text: string): string | undefined {
  if (text === '') return undefined;
  return isJsonStructure(text) ? text : JSON.stringify(text);
}

function structured(value: PresentValue): string | undefined {
  if (value instanceof KeyValueList ? value.attributes.length === 0 : Array.isArray(value) && value.length === 0)
    return undefined;
  return valueJson(value);
}
