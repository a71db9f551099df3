import { jsonString, utf8Length } from './json-text.ts';
import { plainJson } from './plain-json.ts';
import { messageOf } from './message-of.ts';
import { readable } from './readable.ts';
import type { Readable, Scalar } from './readable.ts';

/** Deepest nesting that is written; the service takes 100 levels in an event. */
const maxDepth = 64;
/** Kept free in every open container for the entry that says how much of it is cut, and for its end. */
const reserve = 40;
/** No shorter beginning of a text is kept. */
const shortestString = 64;
/** Longer names of fields are cut. */
const maxNameBytes = 1_024;

/** A value that is written already: where it is part of another it is written again as it is. */
export class WrittenJson {
  readonly json: string;
  /** Whether something was left out for its size; marks in the JSON say what. */
  readonly cut: boolean;
  #bytes: number | undefined;

  constructor(json: string, cut: boolean, bytes?: number) {
    this.json = json;
    this.cut = cut;
    this.#bytes = bytes;
  }

  /** Not `instanceof`, which reads the prototype: a proxy may throw for that. */
  static is(value: unknown): value is WrittenJson {
    return typeof value === 'object' && value !== null && #bytes in value;
  }

  /** Size in UTF-8. Counted on first use, because most sizes are never read. */
  get bytes(): number {
    return (this.#bytes ??= utf8Length(this.json));
  }
}

/**
 * Writes a value as JSON of limited size. What JSON has no form for becomes something readable: big integers their digits, functions and
 * symbols a description, errors their name, message, stack and cause, bytes base64, maps objects, class instances their fields. A reference
 * to a container that is still open becomes `[Circular]`, what a getter throws `[Thrown: ...]`. Over the limit texts, lists and objects end
 * with a mark that says how much is missing. Never throws.
 *
 * @param maxBytes largest size in UTF-8; 128 or more
 * @returns undefined for what JSON leaves out: undefined itself
 */
export function writeJson(value: unknown, maxBytes: number): WrittenJson | undefined {
  if (WrittenJson.is(value)) return value.bytes <= maxBytes ? value : writeJson(JSON.parse(value.json), maxBytes);
  const plain = plainJson(value);
  // A unit of UTF-16 takes at most 3 bytes.
  if (plain !== undefined && (plain.length * 3 <= maxBytes || utf8Length(plain) <= maxBytes))
    return new WrittenJson(plain, false);
  const form = formOf(() => value);
  if (form === undefined) return undefined;
  const writer = new JsonWriter(maxBytes);
  writer.write(form, 0, '');
  return new WrittenJson(writer.text(), writer.full, writer.bytes);
}

interface Form {
  /** The value itself: identifies a container, to find cycles. */
  value: unknown;
  readable: Readable;
}

/** Reads a value and its nearest form in JSON; undefined for what JSON leaves out. */
function formOf(read: () => unknown): Form | undefined {
  try {
    const value = read();
    const form = readable(value);
    return form === undefined ? undefined : { value, readable: form };
  } catch (error) {
    return { value: error, readable: `[Thrown: ${messageOf(error)}]` };
  }
}

class JsonWriter {
  /** Written so far, in UTF-8. */
  bytes = 0;
  /** Nothing more fits: open containers end with their marks. */
  full = false;
  readonly #parts: string[] = [];
  readonly #open = new Set<unknown>();
  /** Bytes that may still be written, without those that open containers have reserved. */
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** Writes a value after a prefix (a comma, a name). False when nothing of it fits; the prefix is not written then. */
  write(form: Form, depth: number, prefix: string): boolean {
    const { value, readable: content } = form;
    if (typeof content !== 'object' || content === null) return this.#scalar(content, prefix);
    if (this.#open.has(value)) return this.#scalar('[Circular]', prefix);
    if (depth >= maxDepth) return this.#scalar(`[Deeper than ${maxDepth} levels]`, prefix);
    const isArray = 'values' in content;
    if (!this.#take(prefix + (isArray ? '[' : '{'), reserve)) return false;
    this.#open.add(value);
    const missing = isArray ? this.#values(content.values, depth + 1) : this.#entries(content.entries, depth + 1);
    this.#open.delete(value);
    this.#parts.push(missing, isArray ? ']' : '}');
    // The marks are ASCII.
    this.bytes += missing.length + 1;
    if (missing === '') this.#left += reserve - 1;
    return true;
  }

  /** @returns the mark for what is missing; empty when all is written */
  #values(values: ArrayLike<unknown>, depth: number): string {
    for (let index = 0; index < values.length; index += 1) {
      const form = formOf(() => values[index]) ?? { value: null, readable: null };
      if (this.full || !this.write(form, depth, index === 0 ? '' : ',')) {
        this.full = true;
        return `${index === 0 ? '' : ','}"[cut: ${values.length - index} more]"`;
      }
    }
    return '';
  }

  /** @returns the mark for what is missing; empty when all is written */
  #entries(entries: ReadonlyArray<readonly [string, () => unknown]>, depth: number): string {
    let comma = '';
    for (const [index, [name, read]] of entries.entries()) {
      const form = formOf(read);
      if (form === undefined) continue;
      const prefix = `${comma}${jsonString(name, maxNameBytes).json}:`;
      if (this.full || !this.write(form, depth, prefix)) {
        this.full = true;
        return `${comma}"[cut]":"${entries.length - index} more"`;
      }
      comma = ',';
    }
    return '';
  }

  #scalar(value: Scalar, prefix: string): boolean {
    if (typeof value !== 'string') return this.#take(prefix + JSON.stringify(value), 0);
    const prefixBytes = utf8Length(prefix);
    const room = this.#left - prefixBytes;
    const { json, bytes, cut } = jsonString(value, Math.max(room, shortestString));
    if (bytes > room) return false;
    this.full ||= cut;
    return this.#take(prefix + json, 0, prefixBytes + bytes);
  }

  /** Writes a text when it and what is to be reserved fit. */
  #take(text: string, reserved: number, bytes = utf8Length(text)): boolean {
    if (bytes + reserved > this.#left) return false;
    this.#parts.push(text);
    this.bytes += bytes;
    this.#left -= bytes + reserved;
    return true;
  }
}
