import type { RowReader, RowWriter } from '../row-binary/index.ts';
import type { Columns } from './columns.ts';

/** How values of one column type are named, written, skipped and selected. */
export interface ColumnType<Value> {
  /** The type's name in an insert's structure. */
  readonly name: string;
  write(rows: RowWriter, value: Value): void;
  skip(rows: RowReader): void;
  /** The expression that selects a column of this type as JSON without loss. */
  select(column: string): string;
  /** The same for the whole value, where `select` takes a part of it. */
  selectWhole?(column: string): string;
  parse(json: unknown): Value;
}

const asItIs = (column: string): string => column;
const inNanoseconds = (column: string): string => `toString(reinterpretAsInt64(${column}))`;

function nullable<Value>(
  name: string,
  skipBytes: number,
  write: (rows: RowWriter, value: Value | null) => void,
): ColumnType<Value | null> {
  return {
    name: `Nullable(${name})`,
    write,
    skip: (rows) => {
      if (rows.uint8() === 0) rows.raw(skipBytes);
    },
    select: asItIs,
    parse: (json) => json as Value | null,
  };
}

function fixed<Value>(name: string, bytes: number, write: (rows: RowWriter, value: Value) => void): ColumnType<Value> {
  return { name, write, skip: (rows) => void rows.raw(bytes), select: asItIs, parse: (json) => json as Value };
}

const types = {
  uuid: fixed<string>('UUID', 16, (rows, value) => rows.uuid(value)),
  string: {
    name: 'String',
    write: (rows, value) => rows.string(value),
    skip: (rows) => rows.skipString(),
    select: asItIs,
    parse: (json) => json as string,
  } satisfies ColumnType<string>,
  beginning: (length: number): ColumnType<string> => ({
    ...types.string,
    select: (column) => `leftUTF8(${column}, ${length})`,
    selectWhole: asItIs,
  }),
  strings: {
    name: 'Array(String)',
    write: (rows, value) => rows.strings(value),
    skip: (rows) => {
      for (let left = rows.varint(); left > 0; left--) rows.skipString();
    },
    select: asItIs,
    parse: (json) => json as readonly string[],
  } satisfies ColumnType<readonly string[]>,
  numbers: {
    name: 'Array(Float64)',
    write: (rows, value) => rows.numbers(value),
    skip: (rows) => void rows.raw(rows.varint() * 8),
    select: asItIs,
    parse: (json) => json as readonly number[],
  } satisfies ColumnType<readonly number[]>,
  boolean: {
    ...fixed<boolean>('UInt8', 1, (rows, value) => rows.uint8(Number(value))),
    parse: (json: unknown) => json === 1,
  },
  nullableBoolean: {
    ...nullable<boolean>('UInt8', 1, (rows, value) => rows.nullableUint8(value === null ? null : Number(value))),
    parse: (json) => (json === null ? null : json === 1),
  } satisfies ColumnType<boolean | null>,
  uint32: fixed<number>('UInt32', 4, (rows, value) => rows.uint32(value)),
  uint64: fixed<number>('UInt64', 8, (rows, value) => rows.uint64(value)),
  nullableUint64: nullable<number>('UInt64', 8, (rows, value) => rows.nullableUint64(value)),
  float64: fixed<number>('Float64', 8, (rows, value) => rows.float64(value)),
  nullableFloat64: nullable<number>('Float64', 8, (rows, value) => rows.nullableFloat64(value)),
  nanoseconds: {
    ...fixed<bigint>('DateTime64(9)', 8, (rows, value) => rows.int64(value)),
    select: inNanoseconds,
    parse: (json: unknown) => BigInt(json as string),
  },
  nullableNanoseconds: {
    ...nullable<bigint>('DateTime64(9)', 8, (rows, value) => rows.nullableInt64(value)),
    select: inNanoseconds,
    parse: (json) => (json === null ? null : BigInt(json as string)),
  } satisfies ColumnType<bigint | null>,
  milliseconds: {
    ...fixed<number>('DateTime64(3)', 8, (rows, value) => rows.int64(BigInt(value))),
    select: (column: string) => `toUnixTimestamp64Milli(${column})`,
  },
};

/** A column of a description. */
export interface VisitedColumn<Value> {
  name: string;
  type: ColumnType<Value>;
  /** Part of the header; else a text or a payload beside it. */
  part: 'header' | 'text' | 'payload';
  /** The layout version that added it. */
  since: number;
}

type Visitor = <Value>(column: VisitedColumn<Value>, value: Value) => Value;

/**
 * Calls one function for every column, whatever its type. For work done once per table or look-up: such uses share this class, so that V8 keeps the
 * description's calls polymorphic and inlines them.
 */
export class VisitColumns implements Columns {
  readonly #visit: Visitor;
  #since = 1;

  constructor(visit: Visitor) {
    this.#visit = visit;
  }

  uuid(column: string, value: string): string {
    return this.#column(column, types.uuid, value);
  }

  string<Text extends string>(column: string, value: Text): Text {
    return this.#column(column, types.string, value) as Text;
  }

  text(column: string, value: string): void {
    this.#column(column, types.string, value, 'text');
  }

  payload(column: string, value: string): void {
    this.#column(column, types.string, value, 'payload');
  }

  beginning(column: string, value: string, length: number): string {
    return this.#column(column, types.beginning(length), value);
  }

  strings(column: string, value: readonly string[]): readonly string[] {
    return this.#column(column, types.strings, value);
  }

  numbers(column: string, value: readonly number[]): readonly number[] {
    return this.#column(column, types.numbers, value);
  }

  boolean(column: string, value: boolean): boolean {
    return this.#column(column, types.boolean, value);
  }

  nullableBoolean(column: string, value: boolean | null): boolean | null {
    return this.#column(column, types.nullableBoolean, value);
  }

  uint32(column: string, value: number): number {
    return this.#column(column, types.uint32, value);
  }

  uint64(column: string, value: number): number {
    return this.#column(column, types.uint64, value);
  }

  nullableUint64(column: string, value: number | null): number | null {
    return this.#column(column, types.nullableUint64, value);
  }

  float64(column: string, value: number): number {
    return this.#column(column, types.float64, value);
  }

  nullableFloat64(column: string, value: number | null): number | null {
    return this.#column(column, types.nullableFloat64, value);
  }

  nanoseconds(column: string, value: bigint): bigint {
    return this.#column(column, types.nanoseconds, value);
  }

  nullableNanoseconds(column: string, value: bigint | null): bigint | null {
    return this.#column(column, types.nullableNanoseconds, value);
  }

  milliseconds(column: string, value: number): number {
    return this.#column(column, types.milliseconds, value);
  }

  since(layoutVersion: number): Columns {
    this.#since = layoutVersion;
    return this;
  }

  #column<Value>(name: string, type: ColumnType<Value>, value: Value, part: VisitedColumn<Value>['part'] = 'header'): Value {
    const since = this.#since;
    this.#since = 1;
    return this.#visit({ name, type, part, since }, value);
  }
}
