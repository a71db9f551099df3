import type { AttributeKey } from './attribute-key.ts';

/**
 * One AnyValue. Integers beyond 2^53 are bigints; `null` is a value that was not set.
 */
export type AttributeValue = string | number | boolean | bigint | null | Uint8Array | readonly AttributeValue[] | KeyValueList;

export type Attributes = readonly Attribute[];

/** One attribute. Spans share the object of an attribute that keeps coming with the same value, so it is never changed. */
export class Attribute {
  readonly key: AttributeKey;
  readonly value: AttributeValue;
  #json = '';

  constructor(key: AttributeKey, value: AttributeValue) {
    this.key = key;
    this.value = value;
  }

  /** The attribute as a member of a JSON object, made when it is first asked for. */
  get json(): string {
    if (this.#json === '') this.#json = this.key.json + valueJson(this.value);
    return this.#json;
  }
}

/** A kvlist value. A class, so that it can be told from an array and from bytes. */
export class KeyValueList {
  readonly attributes: Attributes;

  constructor(attributes: Attributes) {
    this.attributes = attributes;
  }
}

/** The value of the first attribute of a name, undefined when there is none or it was not set. For short lists. */
export function findValue(attributes: Attributes, name: string): Exclude<AttributeValue, null> | undefined {
  for (const attribute of attributes) if (attribute.key.name === name) return attribute.value ?? undefined;
  return undefined;
}

/** Attributes as the text of a JSON object, as they came (`valueJson`); `''` for none. */
export function attributesJson(attributes: Attributes): string {
  if (attributes.length === 0) return '';
  let text = '';
  for (const attribute of attributes) text += text === '' ? `{${attribute.json}` : `,${attribute.json}`;
  return `${text}}`;
}

/** One value as JSON text: integers beyond 2^53 and numbers that JSON does not have as strings, bytes as base64. */
export function valueJson(value: AttributeValue): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : `"${String(value)}"`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `"${value}"`;
    default:
  }
  if (value === null) return 'null';
  if (value instanceof KeyValueList) return attributesJson(value.attributes) || '{}';
  if (value instanceof Uint8Array) return `"${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')}"`;
  return `[${value.map(valueJson).join(',')}]`;
}
