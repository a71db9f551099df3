import { OtlpDecodeError } from './otlp-decode-error.ts';

/** Strings up to this many bytes are looked up among those read before: most values of telemetry repeat. */
const longestCachedText = 48;
const cachedTexts = 4096;

/** Texts read before, by a hash of their bytes; ASCII alone, so that a code unit is a byte. Shared, bounded. */
const textCache: (string | undefined)[] = Array.from({ length: cachedTexts });

/**
 * Reads protobuf's wire format from a buffer. Every length is checked against the end of the message it stands in, so
 * nothing is read outside the body and nothing loops without moving on. All problems are `OtlpDecodeError`s.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Of the next byte. */
  position = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A varint that has to fit 32 bits unsigned: tags, lengths, enums. Longer ones are cut off as protobuf does. */
  varint32(): number {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    return this.#longVarint32();
  }

  #longVarint32(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.position];
      if (byte === undefined) throw this.problem('it ends inside a number');
      this.position++;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw this.problem('a number is longer than 10 bytes');
  }

  /** A signed 64-bit varint; a bigint only where a number would not be exact. */
  int64(): number | bigint {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    let value = 0;
    let scale = 1;
    const start = this.position;
    // 7 bytes hold 49 bits, which a number adds up exactly.
    for (let count = 0; count < 7; count++) {
      const byte = this.bytes[this.position];
      if (byte === undefined) throw this.problem('it ends inside a number');
      this.position++;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    this.position = start;
    return this.#longInt64();
  }

  #longInt64(): number | bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.position];
      if (byte === undefined) throw this.problem('it ends inside a number');
      this.position++;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return exactNumber(BigInt.asIntN(64, value));
    }
    throw this.problem('a number is longer than 10 bytes');
  }

  fixed64(end: number): bigint {
    const start = this.#take(8, end);
    return this.view.getBigUint64(start, true);
  }

  fixed32(end: number): number {
    return this.view.getUint32(this.#take(4, end), true);
  }

  double(end: number): number {
    return this.view.getFloat64(this.#take(8, end), true);
  }

  /** Reads a length and gives where what it measures ends. */
  messageEnd(end: number): number {
    const length = this.varint32();
    const messageEnd = this.position + length;
    if (messageEnd > end) throw this.problem('a length runs past its end');
    return messageEnd;
  }

  /** A string; bytes that are not UTF-8 become U+FFFD. */
  text(end: number): string {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    const length = stop - start;
    if (length === 0) return '';
    if (length > longestCachedText) return this.bytes.toString('utf8', start, stop);
    const place = hashBytes(this.bytes, start, stop) & (cachedTexts - 1);
    const known = textCache[place];
    if (known !== undefined && sameBytes(known, this.bytes, start, length)) return known;
    const text = this.bytes.toString('utf8', start, stop);
    if (text.length === length) textCache[place] = text;
    return text;
  }

  /** A bytes field as lower-case hex. */
  hex(end: number): string {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    // An id has 8 or 16 bytes; of anything longer it only matters that it is too long.
    return this.bytes.toString('hex', start, Math.min(stop, start + 32));
  }

  /** A copy of a bytes field. */
  copy(end: number): Uint8Array {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    return new Uint8Array(this.bytes.subarray(start, stop));
  }

  /** Skips the value of a field that is not known. */
  skip(wireType: number, end: number): void {
    switch (wireType) {
      case 0:
        this.#skipVarint();
        return;
      case 1:
        this.#take(8, end);
        return;
      case 2:
        this.position = this.messageEnd(end);
        return;
      case 5:
        this.#take(4, end);
        return;
      default:
        throw this.problem('it holds a group or a wire type that does not exist');
    }
  }

  problem(what: string): OtlpDecodeError {
    return new OtlpDecodeError(`${what} (byte ${this.position})`);
  }

  #skipVarint(): void {
    for (let count = 0; count < 10; count++) {
      const byte = this.bytes[this.position];
      if (byte === undefined) throw this.problem('it ends inside a number');
      this.position++;
      if (byte < 0x80) return;
    }
    throw this.problem('a number is longer than 10 bytes');
  }

  #take(count: number, end: number): number {
    const start = this.position;
    if (start + count > end) throw this.problem('it ends inside a number');
    this.position = start + count;
    return start;
  }
}

/** `value` as a number where that is exact. */
export function exactNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A quick hash of a few of the bytes and their count. */
export function hashBytes(bytes: Uint8Array, start: number, stop: number): number {
  let hash = stop - start;
  const from = stop - start > 12 ? stop - 12 : start;
  for (let index = from; index < stop; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (bytes[start] ?? 0) ^ ((bytes[(start + stop) >> 1] ?? 0) << 8), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Whether an ASCII text is `length` bytes from `start`. */
export function sameBytes(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
