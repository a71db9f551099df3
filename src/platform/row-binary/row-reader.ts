/** Reads what {@link RowWriter} wrote. Throws a RangeError when the bytes end early. */
export class RowReader {
  readonly #buffer: Buffer;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#position;
  }

  get done(): boolean {
    return this.#position >= this.#buffer.length;
  }

  uint8(): number {
    const value = this.#buffer.readUInt8(this.#position);
    this.#position += 1;
    return value;
  }

  uint32(): number {
    const value = this.#buffer.readUInt32LE(this.#position);
    this.#position += 4;
    return value;
  }

  uint64(): number {
    const low = this.#buffer.readUInt32LE(this.#position);
    const high = this.#buffer.readUInt32LE(this.#position + 4);
    this.#position += 8;
    return high * 0x1_0000_0000 + low;
  }

  int64(): bigint {
    const value = this.#buffer.readBigInt64LE(this.#position);
    this.#position += 8;
    return value;
  }

  float64(): number {
    const value = this.#buffer.readDoubleLE(this.#position);
    this.#position += 8;
    return value;
  }

  nullableUint64(): number | null {
    return this.uint8() === 1 ? null : this.uint64();
  }

  nullableFloat64(): number | null {
    return this.uint8() === 1 ? null : this.float64();
  }

  nullableInt64(): bigint | null {
    return this.uint8() === 1 ? null : this.int64();
  }

  nullableUint8(): number | null {
    return this.uint8() === 1 ? null : this.uint8();
  }

  string(): string {
    return this.stringUpTo(Infinity);
  }

  /** The first `maxBytes` bytes of a string, as text; skips the rest. */
  stringUpTo(maxBytes: number): string {
    const length = this.varint();
    const end = this.#end(length);
    const text = this.#buffer.toString('utf8', this.#position, Math.min(end, this.#position + maxBytes));
    this.#position = end;
    return text;
  }

  /** Skips a string. */
  skipString(): void {
    const length = this.varint();
    this.#position = this.#end(length);
  }

  strings(): string[] {
    const length = this.varint();
    const values: string[] = [];
    for (let index = 0; index < length; index++) values.push(this.string());
    return values;
  }

  numbers(): number[] {
    const length = this.varint();
    const values: number[] = [];
    for (let index = 0; index < length; index++) values.push(this.float64());
    return values;
  }

  uuid(): string {
    this.#end(16);
    const bytes = Buffer.allocUnsafe(16);
    for (let index = 0; index < 8; index++) {
      bytes[7 - index] = this.#buffer[this.#position + index] ?? 0;
      bytes[15 - index] = this.#buffer[this.#position + 8 + index] ?? 0;
    }
    this.#position += 16;
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** The next `length` bytes, as a view. */
  raw(length: number): Uint8Array {
    const end = this.#end(length);
    const bytes = this.#buffer.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.uint8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  #end(length: number): number {
    const end = this.#position + length;
    if (end > this.#buffer.length) throw new RangeError('the row ends early');
    return end;
  }
}
