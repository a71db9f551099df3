import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import type { TextReading } from './text-reading.ts';

/** Builds a piece of SQL: binds its values under names of their own, and looks up traces by their rows in other tables. */
export class Binder {
  readonly #prefix: string;
  readonly #among: SqlPart | null;
  /** How a text is searched in `span_texts`; null: in the rows themselves. */
  readonly reading: TextReading | null;
  /** The fields that every span has of its own which it could have of its trace. */
  readonly given: ReadonlySet<string>;
  readonly #parameters: Record<string, unknown> = {};
  #count = 0;

  /**
   * @param prefix of the names: one for each piece of a statement
   * @param among a SELECT of trace ids: only their rows are read. null reads all rows
   * @param reading see {@link Binder.reading}
   * @param given see {@link Binder.given}
   */
  constructor(
    prefix: string,
    among: SqlPart | null = null,
    reading: TextReading | null = null,
    given: ReadonlySet<string> = new Set(),
  ) {
    this.#prefix = prefix;
    this.#among = among;
    this.reading = reading;
    this.given = given;
  }

  /** The placeholder of a value. @param type of ClickHouse */
  bind(value: unknown, type: string): string {
    const name = `${this.#prefix}${this.#count++}`;
    this.#parameters[name] = value;
    return `{${name}:${type}}`;
  }

  /** A SELECT of the rows of a table that meet a condition, in their latest version. */
  rows(
    columns: string,
    table: 'spans' | 'span_agents' | 'scores' | 'outcomes' | 'calls' | 'comments',
    condition: string,
  ): string {
    // The other tables are sorted by their own ids, or by hour.
    const isByTrace = table !== 'outcomes' && table !== 'calls';
    const prewhere =
      this.#among === null || !isByTrace
        ? ''
        : `\n    PREWHERE trace_id GLOBAL IN (\n      ${indented(this.#among.text, 6)}\n    )`;
    const where = this.#among === null || isByTrace ? condition : `trace_id GLOBAL IN (${this.#among.text}) AND ${condition}`;
    return `SELECT ${columns} FROM ${table} FINAL${prewhere}\n    WHERE ${where}`;
  }

  /** The condition that the trace of a row meets a condition on its summary. */
  inTraces(condition: string): string {
    const among = this.#among === null ? '' : `trace_id GLOBAL IN (${this.#among.text}) AND `;
    return `trace_id GLOBAL IN (SELECT trace_id FROM traces FINAL WHERE ${among}${condition})`;
  }

  /** The condition that a trace has such a row. */
  tracesWith(table: 'spans' | 'scores' | 'outcomes' | 'comments', condition: string): string {
    return `trace_id GLOBAL IN (\n    ${this.rows('trace_id', table, condition)}\n  )`;
  }

  /** A piece of SQL with everything that was bound so far. */
  part(text: string): SqlPart {
    return { text, parameters: { ...this.#parameters, ...this.#among?.parameters, ...this.reading?.within?.parameters } };
  }
}
