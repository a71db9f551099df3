import { retentionCutoff } from '../../contract/plans.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import {
  dirtyHours,
  planFigures,
  roundedDuration,
  sealedHours,
  sourceOf,
  callRollups,
  callSums,
  traceHash,
} from '../figures/index.ts';
import type { RecordRows } from '../traces/index.ts';
import type { MetricsContext } from './metrics-context.ts';
import type { PlannedMeasure } from './measure-sql.ts';
import type { MetricWindow, ReadQuery } from './read-query.ts';
import type { Relation } from './statements.ts';

/** A relation with what reads it. */
export interface Readable {
  relation: Relation;
  reader: TenantReader;
  source: 'rollups' | 'rows' | 'both';
}

const nsOf = (ms: number) => BigInt(ms) * 1_000_000n;

/** The records of a window of a query. */
export async function relationOf(
  context: MetricsContext,
  tenant: Tenant,
  query: ReadQuery,
  measures: readonly PlannedMeasure[],
  window: MetricWindow,
): Promise<Readable> {
  const rollups = isOfRollups(query, measures) ? await rollupsOf(context, tenant, query, window) : null;
  if (rollups !== null) return rollups;
  const { on, filter, dimensions } = query;
  const wanted = {
    on,
    range: { fromNs: nsOf(window.fromMs), beforeNs: nsOf(window.beforeMs) },
    filter,
    figures: [...new Set(measures.flatMap(({ figures }) => figures))],
    fields: dimensions.flatMap((dimension) => (dimension.part === null ? [dimension.field] : [])),
  };
  const { rows, reader }: RecordRows = await context.recordRows(tenant, wanted);
  let field = 0;
  const read = dimensions.map((dimension) => {
    if (dimension.part === 'hourOfDay') return { sql: "formatDateTime(start_time, '%H', 'UTC')", isMany: false };
    if (dimension.part === 'weekday') return { sql: "toString(toDayOfWeek(start_time, 0, 'UTC'))", isMany: false };
    return { sql: `v${field++}`, isMany: true };
  });
  return { relation: { rows, dimensions: read, count: 'count()', isRollups: false }, reader, source: 'rows' };
}

/** Intervals of whole hours, which rollups have. */
const wholeHours: ReadonlySet<string> = new Set(['hour', '6h', 'day', 'week', 'month']);

/** Whether rollups tell all that a query asks. */
function isOfRollups({ on, dimensions, filter, buckets }: ReadQuery, measures: readonly PlannedMeasure[]): boolean {
  return (
    on === 'calls' &&
    filter === null &&
    dimensions.every(({ name }) => name === 'model') &&
    (buckets === null || wholeHours.has(buckets.interval)) &&
    measures.every(({ ofRollups }) => ofRollups !== null)
  );
}

const sums = callSums.join(', ');
const noSums = callSums.map((name) => `0 AS ${name}`).join(', ');
const noSketch = '[] AS durations, [] AS duration_counts, [] AS traces';

/** Rollups of sealed hours and rows of dirty ones, as the model pages read them; null where the window has no hour with calls. */
async function rollupsOf(
  { hourStates, clickhouse, clock }: MetricsContext,
  { projectId, plan }: Tenant,
  { dimensions, buckets }: ReadQuery,
  { fromMs, beforeMs }: MetricWindow,
): Promise<Readable | null> {
  const hour = 3_600_000;
  const isPartial = fromMs % hour !== 0 || beforeMs % hour !== 0;
  const oldestMs = retentionCutoff(plan, clock.now());
  const isByHour = buckets?.interval === 'hour' || buckets?.interval === '6h';
  const { parts, parameters } = await planFigures(hourStates, projectId, {
    from: Math.floor(fromMs / hour) * 3600,
    to: Math.ceil(beforeMs / hour) * 3600,
    rows: isPartial ? { fromMs, beforeMs } : null,
    oldestMs,
    rollupsFrom: Math.ceil(Math.max(fromMs, oldestMs) / 1000),
    rollupsTo: Math.floor(beforeMs / 1000),
    interval: isByHour ? 'hour' : 'day',
  });
  if (!parts.sealed && !parts.dirty) return null;
  const ofModels = " AND dimension = 'model' AND model != ''";
  const named = " AND model != ''";
  const calls = sourceOf(
    parts,
    `hour, model, dimension, ${sums}`,
    { table: 'model_hours', where: `${sealedHours(parts)}${ofModels}` },
    callRollups(dirtyHours(parts), ofModels),
  );
  const sketches = sourceOf(
    parts,
    'hour, model, durations, duration_counts, traces',
    { table: 'model_hour_sketches', where: `${sealedHours(parts)}${named}` },
    `SELECT hour, model, groupArrayIf(${roundedDuration('duration_ms')}, finished = 1) AS durations, groupArrayIf(toUInt64(1), finished = 1) AS duration_counts,
    groupUniqArray(${traceHash}) AS traces FROM calls FINAL WHERE ${dirtyHours(parts)}${named} GROUP BY hour, model`,
  );
  const start = "toDateTime(hour, 'UTC') AS start_time, toString(model) AS model";
  const text = `SELECT ${start}, ${sums}, calls AS n_of, ${noSketch} FROM ${calls}
UNION ALL
SELECT ${start}, ${noSums}, 0 AS n_of, durations, duration_counts, traces FROM ${sketches}`;
  return {
    relation: {
      rows: { text, parameters },
      dimensions: dimensions.map(() => ({ sql: 'model', isMany: false })),
      count: 'sum(n_of)',
      isRollups: true,
    },
    reader: clickhouse.forTenant({ projectId, oldestMs }),
    source: parts.sealed ? (parts.dirty ? 'both' : 'rollups') : 'rows',
  };
}
