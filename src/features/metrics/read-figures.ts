import { bucketsOf } from '../../contract/metrics/intervals.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { planMeasure } from './measure-sql.ts';
import type { Edges, Found, PlannedMeasure } from './measure-sql.ts';
import type { MetricsContext } from './metrics-context.ts';
import type { MetricWindow, ReadQuery } from './read-query.ts';
import { relationOf } from './relations.ts';
import type { Readable } from './relations.ts';
import { figuresSql } from './statements.ts';
import type { Group, Grouping, Ranking } from './statements.ts';

/** A row of figures as the engine answers it. */
export interface FiguresRow {
  group: Group;
  /** Index of its interval; 0 without intervals. */
  bucket: number;
  n: number;
  /** By the index of the measure. */
  found: readonly Found[];
  /** Number of all groups. */
  groups: number;
}

/** All that is read for a query. */
export interface Figures {
  measures: readonly PlannedMeasure[];
  totals: FiguresRow | undefined;
  /** The groups that are shown, in their order; empty without dimensions. */
  ranked: readonly FiguresRow[];
  /** Number of the other groups. */
  further: number;
  /** Of the groups that are shown, by interval; null without intervals. */
  byTime: readonly FiguresRow[] | null;
  /** Of the records that have other groups. */
  others: FiguresRow | undefined;
  othersByTime: readonly FiguresRow[];
  previous: Previous | null;
  source: Readable['source'];
}

/** Figures of the range that a query is compared with. */
export interface Previous {
  totals: FiguresRow | undefined;
  find(group: Group, bucket: number): FiguresRow | undefined;
}

export const keyOf = (group: Group, bucket: number): string => JSON.stringify([group, bucket]);

/** Reads what a query asks for. */
export async function readFigures(context: MetricsContext, tenant: Tenant, query: ReadQuery): Promise<Figures> {
  const { dimensions, buckets, order, limit, previous } = query;
  const edges = await edgesOf(context, tenant, query);
  const measures = query.measures.map(({ measure, aggregation }, index) =>
    planMeasure(query.on, measure, aggregation, { bins: query.bins, edges: edges[index] ?? null }),
  );
  const current = await relationOf(context, tenant, query, measures, query);
  const read = (grouping: Grouping, ranking?: Ranking) => figuresOf(current, measures, grouping, ranking);
  const isGrouped = dimensions.length > 0;
  const [[totals], ranked] = await Promise.all([
    read({ isByDimensions: false, buckets: null }),
    isGrouped ? read({ isByDimensions: true, buckets: null }, { order, limit }) : [],
  ]);
  const groups = ranked.map(({ group }) => group);
  const further = Math.max(0, (ranked[0]?.groups ?? 0) - ranked.length);
  const within = isGrouped ? { groups: { within: groups } } : {};
  const isEmpty = isGrouped && groups.length === 0;
  const beyond = { isByDimensions: false, groups: { beyond: groups } };
  const byTime = buckets === null ? null : isEmpty ? [] : await read({ isByDimensions: isGrouped, buckets, ...within });
  const [others] = further === 0 ? [] : await read({ ...beyond, buckets: null });
  const othersByTime = further === 0 || buckets === null ? [] : await read({ ...beyond, buckets });
  return {
    measures,
    totals,
    ranked,
    further,
    byTime,
    others,
    othersByTime,
    previous: previous === null ? null : await previousOf(context, tenant, query, measures, previous, isEmpty ? null : groups),
    source: current.source,
  };
}

/** The edges of the histograms of a query, by the index of the measure. */
async function edgesOf(context: MetricsContext, tenant: Tenant, query: ReadQuery): Promise<Array<Edges | null>> {
  const { bins } = query;
  const extremes = query.measures.flatMap(({ measure, aggregation }) =>
    aggregation === 'histogram'
      ? (['min', 'max'] as const).map((name) => planMeasure(query.on, measure, name, { bins, edges: null }))
      : [],
  );
  if (extremes.length === 0) return [];
  const relation = await relationOf(context, tenant, { ...query, dimensions: [], buckets: null }, extremes, query);
  const [row] = await figuresOf(relation, extremes, { isByDimensions: false, buckets: null });
  let at = 0;
  return query.measures.map(({ aggregation }) => {
    if (aggregation !== 'histogram') return null;
    const [min, max] = [row?.found[at]?.[0], row?.found[at + 1]?.[0]];
    at += 2;
    return row !== undefined && row.n > 0 && typeof min === 'number' && typeof max === 'number' ? { min, max } : null;
  });
}

async function figuresOf(
  { relation, reader }: Readable,
  measures: readonly PlannedMeasure[],
  grouping: Grouping,
  ranking: Ranking | null = null,
): Promise<FiguresRow[]> {
  const { text, parameters } = figuresSql(relation, measures, grouping, ranking);
  const rows = await reader.query<Record<string, unknown>>(text, parameters);
  return rows.map((row) => ({
    group: grouping.isByDimensions ? relation.dimensions.map((_, index) => String(row[`d${index}`] ?? '')) : [],
    bucket: Number(row['bucket'] ?? 0),
    n: Number(row['n']),
    groups: Number(row['groups'] ?? 0),
    found: measures.map((_, index) => foundOf(row, index)),
  }));
}

function foundOf(row: Record<string, unknown>, index: number): Found {
  const found: Array<number | number[] | null> = [];
  for (let at = 0; `m${index}_${at}` in row; at++) found.push(row[`m${index}_${at}`] as number | number[] | null);
  return found;
}

/** @param groups those that are shown; null where there is none */
async function previousOf(
  context: MetricsContext,
  tenant: Tenant,
  query: ReadQuery,
  measures: readonly PlannedMeasure[],
  window: MetricWindow,
  groups: readonly Group[] | null,
): Promise<Previous> {
  const relation = await relationOf(context, tenant, query, measures, window);
  const isByDimensions = query.dimensions.length > 0;
  const buckets = query.buckets === null ? null : bucketsOf(query.buckets.interval, window.fromMs, window.beforeMs);
  const [totals] = await figuresOf(relation, measures, { isByDimensions: false, buckets: null });
  const within = isByDimensions ? { groups: { within: groups ?? [] } } : {};
  const rows = groups === null ? [] : await figuresOf(relation, measures, { isByDimensions, buckets, ...within });
  const keyed = new Map(rows.map((row) => [keyOf(row.group, row.bucket), row]));
  return { totals, find: (group, bucket) => keyed.get(keyOf(group, bucket)) };
}
