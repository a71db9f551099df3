/**
 * Writes rows in ClickHouse's RowBinary format: columns one after the other without names, little-endian numbers, strings as a
 * LEB128 length and UTF-8 bytes, a Nullable's value behind one byte (1 = NULL).
 */
export class RowWriter {
  #buffer: Buffer;
  #length = 0;
  #lastUuid = '';
  #lastUuidBytes: Uint8Array = new Uint8Array(16);

  constructor(initialBytes = 4096) {
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Size of the buffer in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** What was written; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A copy of the written bytes. Clears the writer, which keeps its buffer. */
  take(): Uint8Array {
    const written = Buffer.allocUnsafeSlow(this.#length);
    this.#buffer.copy(written, 0, 0, this.#length);
    this.#length = 0;
    return written;
  }

  /** Discards the written bytes. */
  clear(): void {
    this.#length = 0;
  }

  uint8(value: number): void {
    this.#room(1);
    this.#buffer[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  /** A whole number from 0 to 2^53 - 1. */
  uint64(value: number): void {
    this.#room(8);
    this.#length = this.#buffer.writeUInt32LE(value % 0x1_0000_0000, this.#length);
    this.#length = this.#buffer.writeUInt32LE(Math.floor(value / 0x1_0000_0000), this.#length);
  }

  int64(value: bigint): void {
    this.#room(8);
    this.#length = this.#buffer.writeBigInt64LE(value, this.#length);
  }

  float64(value: number): void {
    this.#room(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  nullableUint64(value: number | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.uint64(value);
  }

  nullableFloat64(value: number | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.float64(value);
  }

  nullableInt64(value: bigint | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.int64(value);
  }

  nullableUint8(value: number | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.uint8(value);
  }

  string(text: string): void {
    if (text.length < 128 && this.#shortAscii(text)) return;
    const prefix = lengthBytes(text.length);
    if (prefix > 0) {
      this.#longString(text, prefix);
      return;
    }
    const bytes = Buffer.byteLength(text, 'utf8');
    this.varint(bytes);
    this.#room(bytes);
    this.#buffer.write(text, this.#length, bytes, 'utf8');
    this.#length += bytes;
  }

  strings(values: readonly string[]): void {
    this.varint(values.length);
    for (const value of values) this.string(value);
  }

  numbers(values: readonly number[]): void {
    this.varint(values.length);
    for (const value of values) this.float64(value);
  }

  /** A UUID of 36 characters: ClickHouse keeps it as two little-endian 64-bit halves. */
  uuid(text: string): void {
    // Consecutive rows nearly always have the same project id.
    if (text !== this.#lastUuid) {
      const hex = Buffer.from(text.replaceAll('-', ''), 'hex');
      this.#lastUuidBytes = Buffer.concat([hex.subarray(0, 8).toReversed(), hex.subarray(8, 16).toReversed()]);
      this.#lastUuid = text;
    }
    this.raw(this.#lastUuidBytes);
  }

  /** Bytes that are already in the format. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  varint(value: number): void {
    this.#room(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  /** Ids and names are short ASCII nearly always: writing them here saves two calls into the runtime. */
  #shortAscii(text: string): boolean {
    this.#room(text.length + 1);
    const start = this.#length + 1;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 127) return false;
      this.#buffer[start + index] = unit;
    }
    this.#buffer[this.#length] = text.length;
    this.#length = start + text.length;
    return true;
  }

  /** Writes the text before its length; counting first would read the text twice. */
  #longString(text: string, prefix: number): void {
    this.#room(prefix + 3 * text.length);
    const start = this.#length + prefix;
    const bytes = this.#buffer.write(text, start, 'utf8');
    this.varint(bytes);
    this.#length = start + bytes;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** Bytes of a text's LEB128 length, when the number of characters determines it (1 to 3 bytes each); else 0. */
function lengthBytes(characters: number): number {
  if (characters >= 128 && characters <= 5461) return 2;
  return characters >= 16_384 && characters <= 699_050 ? 3 : 0;
}
