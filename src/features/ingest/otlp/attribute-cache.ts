import { Attribute } from './attribute.ts';

const places = 4096;
/** Longest KeyValue message that is kept, in bytes. */
const longest = 128;

/**
 * Remembers attributes by the bytes that they came as. Most attributes of a span come with the same value on the next one, and knowing
 * the whole attribute again is several times cheaper than reading it. Bounded: one attribute a place, the newest wins.
 */
export class AttributeCache {
  readonly #attributes: (Attribute | undefined)[] = Array.from({ length: places });
  readonly #lengths = new Uint8Array(places);
  readonly #bytes = new DataView(new ArrayBuffer(places * longest));
  /** The hash that a place was last asked for: bytes that come once only (ids) are not kept. */
  readonly #asked = new Int32Array(places);
  #hash = 0;

  /** The attribute that came as these bytes before. */
  find(bytes: DataView, start: number, length: number): Attribute | undefined {
    if (length < 8 || length > longest) return undefined;
    const last = length - 4;
    let hash = length;
    for (let at = 0; at < last; at += 4) hash = Math.imul(hash ^ bytes.getInt32(start + at, true), 0x9e3779b1) ^ (hash >>> 15);
    hash = Math.imul(hash ^ bytes.getInt32(start + last, true), 0x9e3779b1);
    hash ^= hash >>> 15;
    this.#hash = hash;
    const place = hash & (places - 1);
    if (this.#lengths[place] !== length) return undefined;
    const kept = place * longest;
    for (let at = 0; at < last; at += 4) {
      if (this.#bytes.getInt32(kept + at, true) !== bytes.getInt32(start + at, true)) return undefined;
    }
    if (this.#bytes.getInt32(kept + last, true) !== bytes.getInt32(start + last, true)) return undefined;
    return this.#attributes[place];
  }

  /** Keeps an attribute that `find` has just not found for the same bytes, when it was asked for the time before too. */
  keep(attribute: Attribute, bytes: DataView, start: number, length: number): void {
    if (length < 8 || length > longest) return;
    const place = this.#hash & (places - 1);
    if (this.#asked[place] !== this.#hash) {
      this.#asked[place] = this.#hash;
      return;
    }
    const kept = place * longest;
    const last = length - 4;
    for (let at = 0; at < last; at += 4) this.#bytes.setInt32(kept + at, bytes.getInt32(start + at, true), true);
    this.#bytes.setInt32(kept + last, bytes.getInt32(start + last, true), true);
    this.#lengths[place] = length;
    this.#attributes[place] = attribute;
  }
}
