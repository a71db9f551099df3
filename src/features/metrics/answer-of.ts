import { bucketStart } from '../../contract/metrics/intervals.ts';
import type { MetricBuckets } from '../../contract/metrics/intervals.ts';
import type { MetricAnswer, MetricRow, MetricValue } from '../../contract/metrics/query.ts';
import type { PlannedMeasure } from './measure-sql.ts';
import { keyOf } from './read-figures.ts';
import type { Figures, FiguresRow, Previous } from './read-figures.ts';
import type { MetricWindow, ReadQuery } from './read-query.ts';
import type { Group } from './statements.ts';

/** The answer to a query, of what was read for it. */
export function answerOf(query: ReadQuery, figures: Figures, nowMs: number): Omit<MetricAnswer, 'ms'> {
  const { dimensions, buckets } = query;
  const { measures, totals, further, previous } = figures;
  return {
    from: new Date(query.fromMs).toISOString(),
    to: new Date(query.beforeMs).toISOString(),
    interval: buckets?.interval ?? null,
    columns: [
      ...dimensions.map(({ name }) => ({ name, type: 'text' as const, unit: null })),
      ...(buckets === null ? [] : [{ name: 'time', type: 'time' as const, unit: null }]),
      ...measures.map(({ column, unit }) => ({ name: column, type: 'number' as const, unit })),
    ],
    rows: rowsOf(query, figures, nowMs),
    totals: {
      values: valuesOf(measures, totals),
      n: totals?.n ?? 0,
      ...(previous === null ? {} : { previous: valuesOf(measures, previous.totals) }),
    },
    other: otherOf(query, figures, nowMs),
    truncated: further > 0,
    source: figures.source,
  };
}

function rowsOf(query: ReadQuery, { measures, totals, ranked, byTime, previous }: Figures, nowMs: number): MetricRow[] {
  const isGrouped = query.dimensions.length > 0;
  const row = (found: FiguresRow, time: object = {}): MetricRow => ({
    ...named(query, found.group),
    ...time,
    ...shown(measures, found),
    ...comparison(measures, previous, found),
  });
  const { buckets } = query;
  if (buckets === null || byTime === null)
    return (isGrouped ? ranked : totals === undefined ? [] : [totals]).map((found) => row(found));
  const groups = ranked.map(({ group }) => group);
  return inOrder(byTime, groups, isGrouped ? 0 : bucketsUpTo(buckets, nowMs)).map((found) =>
    row(found, timeOf(buckets, found.bucket, query, nowMs)),
  );
}

function otherOf(query: ReadQuery, figures: Figures, nowMs: number): MetricAnswer['other'] {
  const { measures, further, others, othersByTime } = figures;
  if (further === 0) return null;
  const { buckets } = query;
  const rows =
    buckets === null
      ? {}
      : {
          rows: othersByTime
            .toSorted((left, right) => left.bucket - right.bucket)
            .map((row) => ({ ...timeOf(buckets, row.bucket, query, nowMs), values: valuesOf(measures, row), n: row.n })),
        };
  return { values: valuesOf(measures, others), n: others?.n ?? 0, groups: further, ...rows };
}

function comparison(measures: readonly PlannedMeasure[], previous: Previous | null, { group, bucket }: FiguresRow) {
  return previous === null ? {} : { previous: valuesOf(measures, previous.find(group, bucket)) };
}

/** The values of the dimensions of a row. */
function named({ dimensions }: ReadQuery, group: Group): Record<string, string | null> {
  return Object.fromEntries(dimensions.map(({ name }, index) => [name, group[index] === '' ? null : (group[index] ?? null)]));
}

/** The time of a bucket, and whether it is cut by the window or by now. */
function timeOf(buckets: MetricBuckets, index: number, { fromMs, beforeMs }: MetricWindow, nowMs: number) {
  const [startMs, endMs] = [bucketStart(buckets, index), bucketStart(buckets, index + 1)];
  const isPartial = startMs < fromMs || endMs > beforeMs || endMs > nowMs;
  return { time: new Date(startMs).toISOString(), ...(isPartial ? { partial: true as const } : {}) };
}

/** The number of buckets that have begun. */
function bucketsUpTo(buckets: MetricBuckets, nowMs: number): number {
  let begun = 0;
  while (begun < buckets.count && bucketStart(buckets, begun) <= nowMs) begun += 1;
  return begun;
}

/** Rows by time, then in the order of their groups. @param begun buckets that have a row although they hold nothing */
function inOrder(rows: readonly FiguresRow[], groups: readonly Group[], begun: number): FiguresRow[] {
  const held = new Set(rows.map(({ bucket }) => bucket));
  const empty = Array.from({ length: begun }, (_, bucket) => bucket)
    .filter((bucket) => !held.has(bucket))
    .map((bucket): FiguresRow => ({ group: [], bucket, n: 0, found: [], groups: 0 }));
  const rankOf = new Map(groups.map((group, rank) => [keyOf(group, 0), rank]));
  const rank = ({ group }: FiguresRow) => rankOf.get(keyOf(group, 0)) ?? 0;
  return [...rows, ...empty].toSorted((left, right) => left.bucket - right.bucket || rank(left) - rank(right));
}

function valuesOf(measures: readonly PlannedMeasure[], row: FiguresRow | undefined): MetricValue[] {
  return measures.map((measure, index) => measure.value(row?.found[index] ?? [], row?.n ?? 0));
}

/** What a row shows of its measures. */
function shown(measures: readonly PlannedMeasure[], row: FiguresRow): Pick<MetricRow, 'values' | 'n' | 'low' | 'high'> {
  const figures = { values: valuesOf(measures, row), n: row.n };
  if (!measures.some(({ interval }) => interval !== undefined)) return figures;
  const intervals = measures.map((measure, index) => measure.interval?.(row.found[index] ?? [], row.n) ?? null);
  return { ...figures, low: intervals.map((one) => one?.low ?? null), high: intervals.map((one) => one?.high ?? null) };
}
