import type { AttributeKey } from './attribute-key.ts';

/** One AnyValue. Integers beyond 2^53 are bigints; null is a value that was not set. */
export type AttributeValue = string | number | boolean | bigint | null | Uint8Array | readonly AttributeValue[] | KeyValueList;

/** The value of an attribute that was set. */
export type PresentValue = Exclude<AttributeValue, null>;

export type Attributes = readonly Attribute[];

/** One attribute. Immutable: spans share the object of a cached attribute. */
export class Attribute {
  readonly key: AttributeKey;
  readonly value: AttributeValue;
  #json = '';

  constructor(key: AttributeKey, value: AttributeValue) {
    this.key = key;
    this.value = value;
  }

  /** The attribute as a member of a JSON object, computed at first use. */
  get json(): string {
    if (this.#json === '') this.#json = this.key.json + valueJson(this.value);
    return this.#json;
  }
}

/** A kvlist value. A class, to be distinguishable from arrays and bytes. */
export class KeyValueList {
  readonly attributes: Attributes;

  constructor(attributes: Attributes) {
    this.attributes = attributes;
  }
}

/** The value of the first attribute of a name, undefined when there is none or it was not set. A linear search. */
export function findValue(attributes: Attributes, name: string): PresentValue | undefined {
  for (const attribute of attributes) if (attribute.key.name === name) return attribute.value ?? undefined;
  return undefined;
}

/** Attributes as a JSON object in their order, repeated names included; `''` for none. */
export function attributesJson(attributes: Attributes): string {
  if (attributes.length === 0) return '';
  let text = '';
  for (const attribute of attributes) text += text === '' ? `{${attribute.json}` : `,${attribute.json}`;
  return `${text}}`;
}

/** A value as JSON text: integers beyond 2^53 and numbers that JSON does not have as strings, bytes as base64. */
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
