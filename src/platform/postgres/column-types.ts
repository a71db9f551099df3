import pg from 'pg';

const { builtins } = pg.types;

/** The array types' numbers, which `pg` does not name. */
const arrayOf = { text: 1009, int8: 1016, timestamp: 1115, date: 1182, numeric: 1231 } as const;

/** A 64-bit integer as a number. Throws beyond 2^53, where a number would be another integer without anyone noticing. */
function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the bigint ${text} does not fit in a number`);
  return value;
}

/** A timestamp without a zone, which `pg` takes for the machine's, as UTC. */
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
 * How columns become values, whatever the process's time zone: `bigint` a number, `date` the text `YYYY-MM-DD`, `numeric` a text,
 * `timestamptz` and `timestamp` (UTC) a Date; their arrays alike; everything else as `pg` does it.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(type)) ??
    pg.types.getTypeParser(type as never, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

// A Date given as a parameter is written in UTC too, so that it falls on the same day in a `date` column everywhere.
pg.defaults.parseInputDatesAsUTC = true;
