import { RowReader, RowWriter } from '../row-binary/index.ts';
import type { Columns } from './columns.ts';
import type { InsertRows, RowLayout, TenantTables } from '../clickhouse/index.ts';
import { alias, RecordColumns } from './record-columns.ts';
import { ReadColumns, WriteColumns } from './row-columns.ts';
import { VisitColumns } from './visit-columns.ts';
import type { VisitedColumn } from './visit-columns.ts';

/** Columns of every row besides its record. */
export interface RowStamp {
  projectId: string;
  /** Of the rows with the same sorting key the one with the highest version counts. */
  version: number;
  /** The row is a tombstone: it deletes the row with its key. */
  deleted: boolean;
}

/** The description of a table: columns, types and how a record fills them. Besides it only the migration names the columns. */
export interface TableDescription<Row, Header, Key> {
  name: string;
  /** The column that retention applies to. */
  timeColumn: string;
  /** For rows that sum up several records: the columns of the times of the oldest and of the newest one. */
  extent?: TenantTables[string]['extent'];
  /**
   * Version of the layout, from 1. Rows in the write-ahead log name it. To add a column, use `to.since(version).type(...)` and increase the version;
   * a column is never removed or moved.
   */
  layoutVersion: number;
  /** An empty record: its values fill columns that a tombstone or a row of an older layout lacks. */
  blank: Row;
  /** The columns of fields that are not named as the field in snake_case; for tables whose whole records are read ({@link Table.fromRow}). */
  columnOf?: Partial<Readonly<Record<keyof Row & string, string>>>;
  /** Restores the fields of a record that was read for which {@link columns} writes another value. */
  restore?(row: Row): void;
  tombstone: {
    /** The sorting key, the column of the partition, the version and the deletion mark. */
    columns: readonly string[];
    /** A record with these columns' values. */
    row(key: Key): Row;
  };
  /**
   * Calls `to` for every column, in the order of the row's bytes.
   *
   * @returns the header: the fields from which other rows are derived
   */
  columns(to: Columns, stamp: RowStamp, row: Row): Header;
}

/** Columns that a look-up does not select: it reads one project, and `FINAL` excludes tombstones. */
const knownToLookUps: ReadonlySet<string> = new Set(['project_id', 'is_deleted']);

/** A ClickHouse table of versioned rows (`ReplacingMergeTree(version, is_deleted)`), defined by its {@link TableDescription}. */
export class Table<Row, Header, Key> {
  readonly name: string;
  readonly layoutVersion: number;
  /** Columns and types in the order of a row's bytes. */
  readonly layout: RowLayout;
  readonly tombstoneLayout: RowLayout;
  /** The expressions of a SELECT whose rows {@link Table.parse} takes. */
  readonly headerSelection: string;
  /** The header of the blank record. */
  readonly blankHeader: Header;
  readonly #description: TableDescription<Row, Header, Key>;
  readonly #columns: ReadonlyArray<VisitedColumn<unknown>>;
  #records: RecordColumns<Row> | null = null;

  constructor(description: TableDescription<Row, Header, Key>) {
    this.#description = description;
    this.name = description.name;
    this.layoutVersion = description.layoutVersion;
    const columns: Array<VisitedColumn<unknown>> = [];
    const list = new VisitColumns((column, value) => {
      columns.push(column as VisitedColumn<unknown>);
      return value;
    });
    this.blankHeader = description.columns(list, blankStamp, description.blank);
    this.#columns = columns;
    this.layout = layoutOf(columns);
    this.tombstoneLayout = layoutOf(columns.filter(({ name }) => description.tombstone.columns.includes(name)));
    this.headerSelection = columns
      .filter(isLookedUp)
      .map(({ name, type }, index) => `${type.select(name)} AS ${alias(index)}`)
      .join(', ');
  }

  /** An empty record. */
  get blank(): Row {
    return this.#description.blank;
  }

  /**
   * The expressions of a SELECT of whole records, whose rows {@link fromRow} takes.
   *
   * @param payloads false: long texts are `''`
   */
  select(options: { payloads: boolean }): string {
    return this.#recordColumns().select(options);
  }

  /** The record of a row that a SELECT of {@link select} returned. */
  fromRow(row: Readonly<Record<string, unknown>>): Row {
    const record = this.#recordColumns().fromRow(row);
    this.#description.restore?.(record);
    return record;
  }

  #recordColumns(): RecordColumns<Row> {
    this.#records ??= new RecordColumns(this.name, this.#columns, this.#description);
    return this.#records;
  }

  /** The table's declaration for the tenant filter. */
  get tenant(): TenantTables[string] {
    const { timeColumn, extent } = this.#description;
    return { timeColumn, timeType: 'DateTime64', ...(extent === undefined ? {} : { extent }) };
  }

  /** A function that writes one row to `rows` and returns its header. */
  writer(rows: RowWriter): (stamp: RowStamp, row: Row) => Header {
    const to = new WriteColumns(rows);
    return (stamp, row) => this.#description.columns(to, stamp, row);
  }

  /** The headers of rows of the current layout. Throws a RangeError when the bytes end within a row. */
  readHeaders(rows: Uint8Array): Header[] {
    const reader = new RowReader(rows);
    const from = new ReadColumns(reader);
    const { columns, blank } = this.#description;
    const headers: Header[] = [];
    while (!reader.done) headers.push(columns(from, blankStamp, blank));
    return headers;
  }

  /** The rows of the current layout whose headers `stays` accepts. Throws a RangeError when the bytes end within a row. */
  filter(rows: Uint8Array, stays: (header: Header) => boolean): Uint8Array {
    const reader = new RowReader(rows);
    const from = new ReadColumns(reader);
    const kept = new RowWriter(rows.length);
    while (!reader.done) {
      const start = reader.position;
      const header = this.#description.columns(from, blankStamp, this.#description.blank);
      if (stays(header)) kept.raw(rows.subarray(start, reader.position));
    }
    return kept.finish();
  }

  /** Writes a tombstone; the columns outside of {@link Table.tombstoneLayout} get the engine's defaults. */
  writeTombstone(rows: RowWriter, stamp: Omit<RowStamp, 'deleted'>, key: Key): void {
    const { columns, tombstone } = this.#description;
    const write = new VisitColumns(({ name, type }, value) => {
      if (tombstone.columns.includes(name)) type.write(rows, value);
      return value;
    });
    columns(write, { ...stamp, deleted: true }, tombstone.row(key));
  }

  /**
   * Converts rows of an older layout to the current one: a missing column gets the blank record's value.
   * Throws a RangeError when the bytes end within a row, an Error when the layout is newer than this release's.
   */
  upgrade(rows: Uint8Array, layoutVersion: number): Uint8Array {
    if (layoutVersion === this.layoutVersion) return rows;
    if (layoutVersion > this.layoutVersion) {
      throw new Error(`rows of ${this.name} in layout ${layoutVersion}; this release knows layouts up to ${this.layoutVersion}`);
    }
    const { columns, blank } = this.#description;
    const from = new RowReader(rows);
    const to = new RowWriter(rows.length);
    const copy = new VisitColumns(({ type, since }, value) => {
      if (since > layoutVersion) {
        type.write(to, value);
        return value;
      }
      const start = from.position;
      type.skip(from);
      to.raw(rows.subarray(start, from.position));
      return value;
    });
    while (!from.done) columns(copy, blankStamp, blank);
    return to.finish();
  }

  /** The header of a row that a look-up in one project (`SELECT headerSelection ... FINAL`) returned. */
  parse(projectId: string, row: Readonly<Record<string, unknown>>): Header {
    const { columns, blank } = this.#description;
    let index = 0;
    const read = new VisitColumns((column, value) => (isLookedUp(column) ? column.type.parse(row[alias(index++)]) : value));
    return columns(read, { ...blankStamp, projectId }, blank);
  }
}

const blankStamp: RowStamp = { projectId: '00000000-0000-0000-0000-000000000000', version: 0, deleted: false };

function layoutOf(columns: ReadonlyArray<VisitedColumn<unknown>>): RowLayout {
  return columns.map(({ name, type }) => [name, type.name] as const);
}

function isLookedUp({ part, name }: Pick<VisitedColumn<unknown>, 'part' | 'name'>): boolean {
  return part === 'header' && !knownToLookUps.has(name);
}

/** Collects rows and tombstones of one table to insert them. */
export class TableRows<Row, Header, Key> {
  readonly #table: Table<Row, Header, Key>;
  readonly #rows: RowWriter;
  readonly #tombstones = new RowWriter(1024);
  readonly #write: (stamp: RowStamp, row: Row) => Header;

  /** @param initialBytes room for rows at the start */
  constructor(table: Table<Row, Header, Key>, initialBytes = 4096) {
    this.#table = table;
    this.#rows = new RowWriter(initialBytes);
    this.#write = table.writer(this.#rows);
  }

  add(stamp: RowStamp, row: Row): void {
    this.#write(stamp, row);
  }

  /** Adds a tombstone of which only the key is known. */
  addTombstone(stamp: Omit<RowStamp, 'deleted'>, key: Key): void {
    this.#table.writeTombstone(this.#tombstones, stamp, key);
  }

  /** The rows to insert, with deduplication tokens derived from `token`; empty if nothing was added. The collection must not be used afterwards. */
  inserts(token: string): InsertRows[] {
    const { name: table, layout, tombstoneLayout } = this.#table;
    return [
      { table, layout, bytes: [this.#rows.finish()], token: `${token}-${table}` },
      { table, layout: tombstoneLayout, bytes: [this.#tombstones.finish()], token: `${token}-stale-${table}` },
    ].filter(({ bytes }) => bytes.some(({ length }) => length > 0));
  }
}

/** The tables for the tenant filter, by name. */
export function tenantTablesOf(tables: ReadonlyArray<Pick<Table<never, unknown, never>, 'name' | 'tenant'>>): TenantTables {
  return Object.fromEntries(tables.map(({ name, tenant }) => [name, tenant]));
}
