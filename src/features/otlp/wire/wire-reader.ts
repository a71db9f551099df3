import { OtlpDecodeError } from './otlp-decode-error.ts';

/** Strings up to this many bytes are cached, since most values of telemetry repeat. */
const maxCachedTextBytes = 48;
const cachedTexts = 4096;

/** Cached texts by a hash of their bytes. ASCII only, so that a code unit is a byte. */
const textCache: (string | undefined)[] = Array.from({ length: cachedTexts });

/**
 * Reads protobuf's wire format from a buffer. Every length is checked against the end of the enclosing message, whose index each
 * method takes as `end`. Every method advances `position`, and throws {@link OtlpDecodeError} for invalid input.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Index of the next byte. */
  position = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads a tag, length or enum as an unsigned 32-bit integer. Higher bits are dropped, as protobuf does. */
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

  /** Reads a signed 64-bit varint; a bigint only where a number would not be exact. */
  int64(): number | bigint {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position++;
      return first;
    }
    let value = 0;
    let scale = 1;
    const start = this.position;
    // 7 bytes hold 49 bits, which a number represents exactly.
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

  /** Reads an unsigned 64-bit integer. */
  fixed64(end: number): bigint {
    const start = this.#take(8, end);
    return this.view.getBigUint64(start, true);
  }

  /** Reads an unsigned 32-bit integer. */
  fixed32(end: number): number {
    return this.view.getUint32(this.#take(4, end), true);
  }

  /** Reads a 64-bit float. */
  double(end: number): number {
    return this.view.getFloat64(this.#take(8, end), true);
  }

  /** Reads a length; returns the index at which the value of that length ends. */
  messageEnd(end: number): number {
    const length = this.varint32();
    const messageEnd = this.position + length;
    if (messageEnd > end) throw this.problem('a length runs past its end');
    return messageEnd;
  }

  /** Reads a string; invalid UTF-8 becomes U+FFFD. */
  text(end: number): string {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    const length = stop - start;
    if (length === 0) return '';
    if (length > maxCachedTextBytes) return this.bytes.toString('utf8', start, stop);
    const index = hashBytes(this.bytes, start, stop) & (cachedTexts - 1);
    const known = textCache[index];
    if (known !== undefined && sameBytes(known, this.bytes, start, length)) return known;
    const text = this.bytes.toString('utf8', start, stop);
    if (text.length === length) textCache[index] = text;
    return text;
  }

  /** Reads a bytes field as lower-case hex, cut to 32 bytes: an id has 8 or 16, and a longer one is rejected. */
  hex(end: number): string {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    return this.bytes.toString('hex', start, Math.min(stop, start + 32));
  }

  /** Reads a bytes field as a copy. */
  copy(end: number): Uint8Array {
    const stop = this.messageEnd(end);
    const start = this.position;
    this.position = stop;
    return new Uint8Array(this.bytes.subarray(start, stop));
  }

  /** Skips the value of an unknown field. */
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

  /** An error at the current position. @param what completes "The body is not a valid OTLP trace request: ..." */
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

/** `value` as a number where a number is exact. */
export function exactNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A hash of the length, the last 12 bytes, and the first and middle byte. */
export function hashBytes(bytes: Uint8Array, start: number, stop: number): number {
  let hash = stop - start;
  const from = stop - start > 12 ? stop - 12 : start;
  for (let index = from; index < stop; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (bytes[start] ?? 0) ^ ((bytes[(start + stop) >> 1] ?? 0) << 8), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Whether an ASCII text equals the `length` bytes from `start`. */
export function sameBytes(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
