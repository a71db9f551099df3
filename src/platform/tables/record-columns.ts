import type { VisitedColumn } from './visit-columns.ts';

/** How a table names the columns of its records. */
export interface RecordNames<Row> {
  blank: Row;
  columnOf?: Partial<Readonly<Record<keyof Row & string, string>>>;
}

/** The columns from which a whole record is read. */
export class RecordColumns<Row> {
  readonly #blank: Row;
  readonly #columns: ReadonlyArray<{ field: string; alias: string; column: VisitedColumn<unknown> }>;

  /** Throws an Error for a field without a column. */
  constructor(table: string, columns: ReadonlyArray<VisitedColumn<unknown>>, { blank, columnOf = {} }: RecordNames<Row>) {
    this.#blank = blank;
    const names: Readonly<Record<string, string | undefined>> = columnOf;
    this.#columns = Object.keys(blank as object).map((field, index) => {
      const name = names[field] ?? inSnakeCase(field);
      const column = columns.find((one) => one.name === name);
      if (!column) throw new Error(`table ${table} has no column ${name} for the field ${field}`);
      return { field, alias: alias(index), column };
    });
  }

  select({ payloads }: { payloads: boolean }): string {
    return this.#columns
      .map(({ alias: as, column: { name, type, part } }) => {
        const whole = type.selectWhole?.(name) ?? type.select(name);
        return `${part === 'payload' && !payloads ? "''" : whole} AS ${as}`;
      })
      .join(', ');
  }

  fromRow(row: Readonly<Record<string, unknown>>): Row {
    const record = { ...this.#blank } as Record<string, unknown>;
    for (const { field, alias: as, column } of this.#columns) record[field] = column.type.parse(row[as]);
    return record as Row;
  }
}

function inSnakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name of a column in a look-up. Short, because a look-up may return many thousand rows of JSON. */
export function alias(index: number): string {
  return `c${index.toString(36)}`;
}
