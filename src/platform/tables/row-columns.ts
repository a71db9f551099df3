import type { RowReader, RowWriter } from '../row-binary/index.ts';
import { firstCodePoints } from '../text/index.ts';
import type { Columns } from './columns.ts';

/** Writes each column's value. */
export class WriteColumns implements Columns {
  readonly #rows: RowWriter;

  constructor(rows: RowWriter) {
    this.#rows = rows;
  }

  uuid(_column: string, value: string): string {
    this.#rows.uuid(value);
    return value;
  }

  string<Text extends string>(_column: string, value: Text): Text {
    this.#rows.string(value);
    return value;
  }

  text(_column: string, value: string): void {
    this.#rows.string(value);
  }

  payload(_column: string, value: string): void {
    this.#rows.string(value);
  }

  beginning(_column: string, value: string, length: number): string {
    this.#rows.string(value);
    return firstCodePoints(value, length);
  }

  strings(_column: string, value: readonly string[]): readonly string[] {
    this.#rows.strings(value);
    return value;
  }

  numbers(_column: string, value: readonly number[]): readonly number[] {
    this.#rows.numbers(value);
    return value;
  }

  boolean(_column: string, value: boolean): boolean {
    this.#rows.uint8(value ? 1 : 0);
    return value;
  }

  nullableBoolean(_column: string, value: boolean | null): boolean | null {
    this.#rows.nullableUint8(value === null ? null : Number(value));
    return value;
  }

  uint32(_column: string, value: number): number {
    this.#rows.uint32(value);
    return value;
  }

  uint64(_column: string, value: number): number {
    this.#rows.uint64(value);
    return value;
  }

  nullableUint64(_column: string, value: number | null): number | null {
    this.#rows.nullableUint64(value);
    return value;
  }

  float64(_column: string, value: number): number {
    this.#rows.float64(value);
    return value;
  }

  nullableFloat64(_column: string, value: number | null): number | null {
    this.#rows.nullableFloat64(value);
    return value;
  }

  nanoseconds(_column: string, value: bigint): bigint {
    this.#rows.int64(value);
    return value;
  }

  nullableNanoseconds(_column: string, value: bigint | null): bigint | null {
    this.#rows.nullableInt64(value);
    return value;
  }

  milliseconds(_column: string, value: number): number {
    this.#rows.int64(BigInt(value));
    return value;
  }

  since(): Columns {
    return this;
  }
}

/** Reads each column's value from a row of the current layout and ignores the values that the description passes. */
export class ReadColumns implements Columns {
  readonly #rows: RowReader;

  constructor(rows: RowReader) {
    this.#rows = rows;
  }

  uuid(): string {
    return this.#rows.uuid();
  }

  string<Text extends string>(): Text {
    return this.#rows.string() as Text;
  }

  text(): void {
    this.#rows.skipString();
  }

  payload(): void {
    this.#rows.skipString();
  }

  beginning(_column: string, _value: string, length: number): string {
    return firstCodePoints(this.#rows.stringUpTo(length * 4), length);
  }

  strings(): readonly string[] {
    return this.#rows.strings();
  }

  numbers(): readonly number[] {
    return this.#rows.numbers();
  }

  boolean(): boolean {
    return this.#rows.uint8() === 1;
  }

  nullableBoolean(): boolean | null {
    const value = this.#rows.nullableUint8();
    return value === null ? null : value === 1;
  }

  uint32(): number {
    return this.#rows.uint32();
  }

  uint64(): number {
    return this.#rows.uint64();
  }

  nullableUint64(): number | null {
    return this.#rows.nullableUint64();
  }

  float64(): number {
    return this.#rows.float64();
  }

  nullableFloat64(): number | null {
    return this.#rows.nullableFloat64();
  }

  nanoseconds(): bigint {
    return this.#rows.int64();
  }

  nullableNanoseconds(): bigint | null {
    return this.#rows.nullableInt64();
  }

  milliseconds(): number {
    return Number(this.#rows.int64());
  }

  since(): Columns {
    return this;
  }
}
