import { KeyValueList, valueJson } from './attribute.ts';
import type { Present, Reader } from './convention.ts';
import { isJsonStructure } from './is-json.ts';
import { parseJson } from './parse-json.ts';

/**
 * An input or output as JSON text: a text that is a JSON array or object as that, any other text as a JSON string, a structured
 * value as JSON. Nothing for what is empty.
 */
export const payload: Reader<string> = (value) => (typeof value === 'string' ? textPayload(value) : structured(value));

/** A payload whose convention writes every value as JSON, single texts and numbers too. */
export const jsonPayload: Reader<string> = (value) => {
  if (typeof value !== 'string') return structured(value);
  if (value === '' || value === '""') return undefined;
  return parseJson(value) === undefined ? JSON.stringify(value) : value;
};

/** A list of texts each of which is JSON, as one JSON array. */
export const jsonListPayload: Reader<string> = (value, span) => {
  if (!Array.isArray(value)) return jsonPayload(value, span);
  const items = (value as readonly unknown[]).map((item) =>
    typeof item === 'string' && parseJson(item) !== undefined ? item : valueJson(item as Present),
  );
  return items.length === 0 ? undefined : `[${items.join(',')}]`;
};

function textPayload(text: string): string | undefined {
  if (text === '') return undefined;
  return isJsonStructure(text) ? text : JSON.stringify(text);
}

function structured(value: Present): string | undefined {
  if (value instanceof KeyValueList ? value.attributes.length === 0 : Array.isArray(value) && value.length === 0)
    return undefined;
  return valueJson(value);
}
