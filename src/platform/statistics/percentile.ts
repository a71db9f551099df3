/**
 * The rank of a percentile among `count` sorted values, counted from 0: ⌊q · (count − 1)⌋ (docs/semantics.md, "Percentiles").
 *
 * @param q from 0 to 1
 */
export function percentileRank(count: number, q: number): number {
  return Math.floor(q * (count - 1));
}

/**
 * The value at {@link percentileRank}; null without values.
 *
 * @param sorted ascending
 */
export function percentile(sorted: ArrayLike<number>, q: number): number | null {
  return sorted[percentileRank(sorted.length, q)] ?? null;
}

/** The arrays of {@link percentileSql}, as ClickHouse expressions or names. */
export interface CountedValues {
  /** Distinct values or not, ascending. */
  values: string;
  /** How many values are at most as high as that of the same index: `arrayCumSum` of the counts. */
  upTo: string;
}

/** ClickHouse's expression of {@link percentile} over values that are counted; the default value of their type without any. */
export function percentileSql({ values, upTo }: CountedValues, q: number): string {
  return `${values}[arrayFirstIndex(cumulative -> cumulative > floor(${q} * (${upTo}[-1] - 1)), ${upTo})]`;
}

/** PostgreSQL's expression of {@link percentile} over an array, ascending; null without values. */
export function percentileOfArraySql(sorted: string, q: number): string {
  return `${sorted}[1 + floor(${q}::float8 * (cardinality(${sorted}) - 1))::int]`;
}
