import pg from 'pg';

const { builtins } = pg.types;

/** OIDs of the array types, which `pg` does not name. */
const arrayOf = { text: 1009, int8: 1016, timestamp: 1115, date: 1182, numeric: 1231 } as const;

/** A 64-bit integer as a number. Throws a RangeError beyond 2^53, where a number would silently lose digits. */
function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the bigint ${text} does not fit in a number`);
  return value;
}

/** A timestamp without a zone, as UTC; `pg` would read it in the machine's zone. */
function utcTimestamp(text: string): unknown {
  return parser(builtins.TIMESTAMPTZ)(`${text}+00`);
}

const asText = (text: string) => text;

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, integer],
  [builtins.DATE, asText],
  [builtins.NUMERIC, asText],
  [builtins.TIMESTAMP, utcTimestamp],
  [arrayOf.int8, arrayParser(integer)],
  [arrayOf.date, arrayParser(asText)],
  [arrayOf.numeric, arrayParser(asText)],
  [arrayOf.timestamp, arrayParser(utcTimestamp)],
]);

function arrayParser(parse: (text: string) => unknown): (text: string) => unknown {
  return (text) => (parser(arrayOf.text)(text) as Array<string | null>).map((member) => (member === null ? null : parse(member)));
}

function parser(type: number): (text: string) => unknown {
  return pg.types.getTypeParser(type as Parameters<typeof pg.types.getTypeParser>[0], 'text') as (text: string) => unknown;
}

/**
 * Conversion of columns to values, independent of the process's time zone: `bigint` to a number, `date` to the text `YYYY-MM-DD`,
 * `numeric` to a text, `timestamptz` and `timestamp` (UTC) to a Date, and arrays of these. Other types as `pg` converts them.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(type)) ??
    pg.types.getTypeParser(type as never, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

// Writes Date parameters in UTC too, so that a `date` column gets the same day in every time zone.
pg.defaults.parseInputDatesAsUTC = true;
