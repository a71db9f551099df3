import { behindString } from '../../../platform/json/index.ts';
import { attributeKey } from '../wire/attribute-key.ts';
import { Attribute, KeyValueList, type Attributes, type AttributeValue } from '../wire/attribute.ts';

/**
 * Parses the text that `attributesJson` wrote. Unlike `JSON.parse` it keeps the order and repeated names. Integers beyond 2^53, bytes,
 * and numbers that JSON does not have are returned as the strings that were written for them.
 * @throws Error when the text is not what `attributesJson` writes
 */
export function storedAttributes(json: string): Attributes {
  if (json === '') return [];
  const value = new StoredJson(json).whole();
  if (!(value instanceof KeyValueList)) throw new Error('stored attributes are not a JSON object');
  return value.attributes;
}

class StoredJson {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): AttributeValue {
    const value = this.#value();
    if (this.#at !== this.#text.length) throw this.#error();
    return value;
  }

  #value(): AttributeValue {
    switch (this.#text[this.#at]) {
      case '{':
        return new KeyValueList(this.#items('}', () => this.#member()));
      case '[':
        return this.#items(']', () => this.#value());
      case '"':
        return this.#string();
      default:
        return this.#literal();
    }
  }

  #items<T>(end: string, read: () => T): T[] {
    const items: T[] = [];
    this.#at++;
    while (this.#text[this.#at] !== end) {
      if (items.length > 0) this.#skip(',');
      items.push(read());
    }
    this.#at++;
    return items;
  }

  #member(): Attribute {
    const name = this.#string();
    this.#skip(':');
    return new Attribute(attributeKey(name), this.#value());
  }

  #string(): string {
    const start = this.#at;
    const end = this.#text[start] === '"' ? behindString(this.#text, start) : null;
    if (end === null) throw this.#error();
    this.#at = end;
    return JSON.parse(this.#text.slice(start, end)) as string;
  }

  /** Reads a number, true, false or null. */
  #literal(): number | boolean | null {
    const literal = /[-+.\w]+/y;
    literal.lastIndex = this.#at;
    const [text] = literal.exec(this.#text) ?? [];
    if (text === undefined) throw this.#error();
    this.#at += text.length;
    return JSON.parse(text) as number | boolean | null;
  }

  #skip(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#error();
    this.#at++;
  }

  #error(): Error {
    return new Error(`stored attributes are invalid at character ${this.#at}`);
  }
}
