/**
 * A visitor of one row's columns, in byte order. A table's description (`TableDescription.columns`) calls one method per column with the column's
 * name and the record's value, and builds the header from the returned values. Implementations of this interface write a row, read one, list the
 * layout, or select headers.
 */
export interface Columns {
  /** `UUID`, 36 characters. */
  uuid(column: string, value: string): string;
  /** `String`. */
  string<Text extends string>(column: string, value: Text): Text;
  /** `String` that is not part of the header: a reader of headers skips it. */
  text(column: string, value: string): void;
  /** The same of a long text, which `Table.select` can leave out. */
  payload(column: string, value: string): void;
  /** `String` of which the header has the first `length` code points. */
  beginning(column: string, value: string, length: number): string;
  /** `Array(String)`. */
  strings(column: string, value: readonly string[]): readonly string[];
  /** `Array(Float64)`. */
  numbers(column: string, value: readonly number[]): readonly number[];
  /** `UInt8`, 1 for true. */
  boolean(column: string, value: boolean): boolean;
  /** `Nullable(UInt8)`, 1 for true. */
  nullableBoolean(column: string, value: boolean | null): boolean | null;
  /** `UInt32`. */
  uint32(column: string, value: number): number;
  /** `UInt64`, a whole number from 0 to 2^53 - 1. */
  uint64(column: string, value: number): number;
  nullableUint64(column: string, value: number | null): number | null;
  /** `Float64`. */
  float64(column: string, value: number): number;
  nullableFloat64(column: string, value: number | null): number | null;
  /** `DateTime64(9)`, nanoseconds since the epoch. */
  nanoseconds(column: string, value: bigint): bigint;
  nullableNanoseconds(column: string, value: bigint | null): bigint | null;
  /** `DateTime64(3)`, milliseconds since the epoch. */
  milliseconds(column: string, value: number): number;
  /**
   * The layout version that added the next column. A row of an older layout gets the value of the description's blank record.
   */
  since(layoutVersion: number): Columns;
}
