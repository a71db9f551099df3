import { Attribute } from './attribute.ts';

const capacity = 4096;
/** Largest KeyValue message that is cached, in bytes. */
const maxLength = 128;

/**
 * Caches decoded attributes by their bytes. Most attributes repeat on the next span with the same value, and a lookup is several times
 * cheaper than decoding. Direct-mapped: each index holds one attribute, the newest.
 */
export class AttributeCache {
  readonly #attributes: (Attribute | undefined)[] = Array.from({ length: capacity });
  readonly #lengths = new Uint8Array(capacity);
  readonly #bytes = new DataView(new ArrayBuffer(capacity * maxLength));
  /** The hash of the last miss at each index. An attribute is cached when it misses twice in a row, so that unique ids are not. */
  readonly #lastMiss = new Int32Array(capacity);
  #hash = 0;

  /** The cached attribute of these bytes. */
  find(bytes: DataView, start: number, length: number): Attribute | undefined {
    if (length < 8 || length > maxLength) return undefined;
    const last = length - 4;
    let hash = length;
    for (let at = 0; at < last; at += 4) hash = Math.imul(hash ^ bytes.getInt32(start + at, true), 0x9e3779b1) ^ (hash >>> 15);
    hash = Math.imul(hash ^ bytes.getInt32(start + last, true), 0x9e3779b1);
    hash ^= hash >>> 15;
    this.#hash = hash;
    const index = hash & (capacity - 1);
    if (this.#lengths[index] !== length) return undefined;
    const offset = index * maxLength;
    for (let at = 0; at < last; at += 4) {
      if (this.#bytes.getInt32(offset + at, true) !== bytes.getInt32(start + at, true)) return undefined;
    }
    if (this.#bytes.getInt32(offset + last, true) !== bytes.getInt32(start + last, true)) return undefined;
    return this.#attributes[index];
  }

  /** Caches an attribute after `find` missed these bytes, if the miss before at the same index was for the same hash. */
  add(attribute: Attribute, bytes: DataView, start: number, length: number): void {
    if (length < 8 || length > maxLength) return;
    const index = this.#hash & (capacity - 1);
    if (this.#lastMiss[index] !== this.#hash) {
      this.#lastMiss[index] = this.#hash;
      return;
    }
    const offset = index * maxLength;
    const last = length - 4;
    for (let at = 0; at < last; at += 4) this.#bytes.setInt32(offset + at, bytes.getInt32(start + at, true), true);
    this.#bytes.setInt32(offset + last, bytes.getInt32(start + last, true), true);
    this.#lengths[index] = length;
    this.#attributes[index] = attribute;
  }
}
