import { sql } from 'kysely';
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { isStorableTime } from '../../contract/common.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** Valid cursor values by PostgreSQL type; PostgreSQL must accept them all. */
const valueSchemas = {
  timestamptz: z.string().refine(isTimestamp),
  uuid: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  text: z.string().refine((text) => text.isWellFormed() && !text.includes('\0')),
  integer: z.int32().min(0),
  bigint: z.int().min(0),
};

/** The format of `toISOString`, of the years 1 to 9999: JavaScript parses dates that PostgreSQL rejects. */
function isTimestamp(value: string): boolean {
  const ms = Date.parse(value);
  return isStorableTime(ms) && new Date(ms).toISOString() === value;
}

export interface KeysetColumn {
  /** The column as in the query, with the table's alias if it needs one. A row's field has the name without the alias. */
  name: string;
  type: keyof typeof valueSchemas;
}

/** `limit` and `cursor` of a request for a page. */
export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** null on the last page. */
  nextCursor: string | null;
}

/**
 * An order of a query's rows, by columns that together are unique, all ascending or all descending. A page starts after the values of these columns
 * in the previous page's last row, so every page costs the same, and inserted or deleted rows do not shift it.
 */
export class Keyset {
  readonly #columns: readonly KeysetColumn[];
  readonly #direction: 'asc' | 'desc';
  readonly #schema: z.ZodType<Array<string | number>>;

  constructor(columns: readonly [KeysetColumn, ...KeysetColumn[]], direction: 'asc' | 'desc' = 'asc') {
    this.#columns = columns;
    this.#direction = direction;
    const [first, ...others] = columns;
    this.#schema = z.tuple([valueSchemas[first.type], ...others.map(({ type }) => valueSchemas[type])]);
  }

  /** Reads one page of a query that has neither order nor limit. Errors: `invalid_request` for a cursor of another list. */
  async read<DB, TB extends keyof DB, Row>(select: SelectQueryBuilder<DB, TB, Row>, query: PageQuery): Promise<Page<Row>> {
    return this.pageOf(await this.select(select, query).execute(), query.limit);
  }

  /** The query of {@link Keyset.read}: a page, and one row more if there is one. */
  select<DB, TB extends keyof DB, Row>(
    select: SelectQueryBuilder<DB, TB, Row>,
    { cursor, limit }: PageQuery,
  ): SelectQueryBuilder<DB, TB, Row> {
    const behind = cursor === undefined ? select : select.where(this.behind(cursor));
    return this.#columns.reduce((query, { name }) => query.orderBy(sql.ref(name), this.#direction), behind).limit(limit + 1);
  }

  /** The condition that a row comes after a cursor. Errors: `invalid_request` for a cursor of another list. */
  behind(cursor: string): RawBuilder<boolean> {
    const values = this.values(cursor);
    const columns = sql.join(this.#columns.map(({ name }) => sql.ref(name)));
    const bound = sql.join(this.#columns.map(({ type }, index) => sql`${values[index]}::${sql.raw(type)}`));
    return sql<boolean>`(${columns}) ${sql.raw(this.#direction === 'asc' ? '>' : '<')} (${bound})`;
  }

  /** The columns' values in a cursor. Errors: `invalid_request` for a cursor of another list. */
  values(cursor: string): Array<string | number> {
    return decodeCursor(cursor, this.#schema);
  }

  /** A page from up to `limit + 1` rows. */
  pageOf<Row>(rows: readonly Row[], limit: number): Page<Row> {
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { rows: shown, nextCursor: rows.length > limit && last !== undefined ? this.cursorAfter(last) : null };
  }

  /** The cursor of the page after a row, which has the columns among its fields. */
  cursorAfter(row: unknown): string {
    const fields = row as Readonly<Record<string, unknown>>;
    return encodeCursor(
      this.#columns.map(({ name }) => {
        const value = fields[name.slice(name.indexOf('.') + 1)];
        if (value instanceof Date) return value.toISOString();
        if (typeof value === 'string' || typeof value === 'number') return value;
        throw new TypeError(`a row has no value of ${name}`);
      }),
    );
  }
}

/** Rows by the time of their creation and, among equal ones, by id. */
export function byCreation(
  direction: 'asc' | 'desc',
  { createdAt = 'created_at', id = 'id' }: { createdAt?: string; id?: string } = {},
): Keyset {
  return new Keyset(
    [
      { name: createdAt, type: 'timestamptz' },
      { name: id, type: 'uuid' },
    ],
    direction,
  );
}
