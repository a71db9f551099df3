import type { Selectable } from 'kysely';
import type { Tables } from '../../src/platform/postgres/index.ts';

type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
/** Whether a column may be null. */
type Nullability<Value> = null extends Value ? 'null' : 'not null';

/** How a column is declared and what the database has of it differ, as a text; never where they are the same. */
type Difference<Columns, Actual, Column extends string> = Column extends keyof Columns
  ? Column extends keyof Actual
    ? Nullability<Columns[Column]> extends Actual[Column]
      ? never
      : `${Column} is declared ${Nullability<Columns[Column]>}`
    : `${Column} is no column`
  : `${Column} is not declared`;
type Differences<Columns, Actual> = Difference<Columns, Actual, (keyof Columns | keyof Actual) & string>;

/** True where a table is declared with the columns of `Actual`; otherwise what differs. */
export type Declared<Name, Actual> = Name extends keyof Tables
  ? Differences<Row<Name>, Actual> extends infer Found
    ? [Found] extends [never]
      ? true
      : `${Found & string}`
    : never
  : 'is not declared';

/** True where no table is declared but those named; otherwise the names of the others. */
export type NoOthers<Names> = [Exclude<keyof Tables, Names>] extends [never] ? true : Exclude<keyof Tables, Names>;
