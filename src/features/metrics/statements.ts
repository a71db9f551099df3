import type { MetricBuckets } from '../../contract/metrics/intervals.ts';
import { indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { PlannedMeasure } from './measure-sql.ts';

/** The records of a query, or the rollups that stand for them. */
export interface Relation {
  /** A SELECT of a row for each record with `start_time`, the columns of the measures, and the values of the dimensions. */
  rows: SqlPart;
  /** The values of each dimension: an `Array(String)`, or one text, of `''` where there is none. */
  dimensions: ReadonlyArray<{ sql: string; isMany: boolean }>;
  /** SQL of the number of records of a group. */
  count: string;
  isRollups: boolean;
}

/** What one statement groups by. */
export interface Grouping {
  /** Dimensions, as columns `d0`, `d1` and so on. */
  isByDimensions: boolean;
  buckets: MetricBuckets | null;
  /** Only these groups, or only the records that have a group beyond them. */
  groups?: { within: readonly Group[] } | { beyond: readonly Group[] };
}

/** The value of each dimension; `''` where a record has none. */
export type Group = readonly string[];

/** Which groups come first, and how many. */
export interface Ranking {
  order: { by: 'measure' | 'dimension'; index: number; isAscending: boolean };
  limit: number;
}

/** SQL of the index of the bucket of a row. */
function bucketSql({ startMs, lengthMs }: MetricBuckets): SqlPart {
  const parameters = { bucketsFrom: startMs };
  if (lengthMs === null)
    return { text: "dateDiff('month', fromUnixTimestamp64Milli({bucketsFrom:Int64}, 'UTC'), start_time, 'UTC')", parameters };
  return {
    text: 'intDiv(toUnixTimestamp64Milli(toDateTime64(start_time, 3)) - {bucketsFrom:Int64}, {bucketLength:Int64})',
    parameters: { ...parameters, bucketLength: lengthMs },
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/**
 * SQL of the figures of each group: columns `d0`.. of the dimensions, `bucket`, `n`, `m<measure>_<index>` of what a measure reads, and `groups`, the number of all
 * groups.
 *
 * @param ranking null: every group
 */
export function figuresSql(
  relation: Relation,
  measures: readonly PlannedMeasure[],
  grouping: Grouping,
  ranking: Ranking | null = null,
): SqlPart {
  const { isByDimensions, buckets, groups } = grouping;
  const bucket = buckets === null ? null : bucketSql(buckets);
  const count = relation.dimensions.length;
  const dimensions = isByDimensions ? names('d', count) : [];
  const keys = [...dimensions, ...(bucket === null ? [] : ['bucket'])];
  const isBeyond = groups !== undefined && 'beyond' in groups;
  const given = [
    ...(isByDimensions
      ? relation.dimensions.map(
          ({ sql, isMany }, index) => `${isMany ? `arrayJoin(if(empty(${sql}), [''], ${sql}))` : sql} AS d${index}`,
        )
      : []),
    ...(bucket === null ? [] : [`${bucket.text} AS bucket`]),
  ];
  const source = `SELECT *${given.map((one) => `, ${one}`).join('')} FROM (
  ${indented(relation.rows.text, 2)}
)${isBeyond ? `\nWHERE ${beyondSql(relation)}` : ''}`;
  const aggregates = measures.map((measure) => (relation.isRollups ? (measure.ofRollups ?? []) : measure.aggregates));
  const summed = aggregates.flatMap((those, index) => those.map((sql, at) => `${sql} AS a${index}_${at}`));
  const read = measures.map((measure, index) => {
    const found = names(`a${index}_`, aggregates[index]?.length ?? 0);
    return measure.read ? measure.read(found) : found;
  });
  const shown = read.flatMap((those, index) => those.map((sql, at) => `${sql} AS m${index}_${at}`));
  const byKeys = keys.length === 0 ? '' : `\nORDER BY ${keys.join(', ')}`;
  const order = ranking === null ? byKeys : orderSql(ranking, measures, read, dimensions);
  const within = groups !== undefined && 'within' in groups ? `\nWHERE ${withinSql(count)}` : '';
  const named = groups === undefined ? [] : 'within' in groups ? groups.within : groups.beyond;
  return {
    text: `SELECT ${[...keys, 'n', ...shown, ...(ranking === null ? [] : ['count() OVER () AS groups'])].join(', ')}
FROM (
  SELECT ${[...keys, `${relation.count} AS n`, ...summed].join(', ')}
  FROM (
    ${indented(source, 4)}
  )${indented(within, 2)}${keys.length === 0 ? '' : `\n  GROUP BY ${keys.join(', ')}`}
)${order}`,
    parameters: {
      ...relation.rows.parameters,
      ...bucket?.parameters,
      ...(groups === undefined
        ? {}
        : Object.fromEntries(names('group', count).map((name, index) => [name, named.map((group) => group[index] ?? '')]))),
    },
  };
}

/** A list of the named groups as tuples. */
const groupTuples = (count: number) =>
  `arrayZip(${names('group', count)
    .map((name) => `{${name}:Array(String)}`)
    .join(', ')})`;

function withinSql(count: number): string {
  if (count === 1) return 'd0 IN {group0:Array(String)}';
  return `(${names('d', count).join(', ')}) IN (SELECT arrayJoin(${groupTuples(count)}))`;
}

/** The condition that a record has a group that is not among the named ones. */
function beyondSql({ dimensions }: Relation): string {
  if (dimensions.every(({ isMany }) => !isMany)) {
    const [only] = dimensions;
    if (dimensions.length === 1 && only) return `${only.sql} NOT IN {group0:Array(String)}`;
    return `(${dimensions.map(({ sql }) => sql).join(', ')}) NOT IN (SELECT arrayJoin(${groupTuples(dimensions.length)}))`;
  }
  const lists = dimensions.map(({ sql, isMany }) => (isMany ? `if(empty(${sql}), [''], ${sql})` : `[${sql}]`));
  const combined = lists.reduceRight<{ sql: string; depth: number }>(
    ({ sql }, list, index) => {
      const own = `x${index}`;
      if (index === lists.length - 1)
        return { sql: `arrayMap(${own} -> tuple(${names('x', lists.length).join(', ')}), ${list})`, depth: 1 };
      return { sql: `arrayFlatten(arrayMap(${own} -> ${sql}, ${list}))`, depth: 1 };
    },
    { sql: '', depth: 0 },
  ).sql;
  return `NOT hasAll(${groupTuples(dimensions.length)}, ${combined})`;
}

/** By the value, without it last; then by the dimensions, without a value last. */
function orderSql(
  { order: { by, index, isAscending }, limit }: Ranking,
  measures: readonly PlannedMeasure[],
  read: readonly string[][],
  dimensions: readonly string[],
): string {
  const direction = isAscending ? 'ASC' : 'DESC';
  const ofDimension = (name: string, how: string) => [`${name} = ''`, `${name} ${how}`];
  const chosen =
    by === 'measure'
      ? [`${measures[index]?.order(names(`m${index}_`, read[index]?.length ?? 0)) ?? 'n'} ${direction} NULLS LAST`]
      : ofDimension(`d${index}`, direction);
  const ties = dimensions.flatMap((name) => ofDimension(name, 'ASC'));
  return `\nORDER BY ${[...chosen, ...ties].join(', ')}\nLIMIT ${limit}`;
}
