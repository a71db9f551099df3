import { retentionCutoff } from '../../contract/plans.ts';
import type { TimePart } from '../../contract/metrics/time-parts.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import {
  callRollups,
  callSums,
  dirtyHours,
  planFigures,
  sealedHours,
  sketchRollups,
  sourceOf,
  windowBetween,
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

/** Parts of the time of a row. */
const partSql: Readonly<Record<TimePart, string>> = {
  hourOfDay: "formatDateTime(start_time, '%H', 'UTC')",
  weekday: "toString(toDayOfWeek(start_time, 0, 'UTC'))",
};

const nsOf = (ms: number) => BigInt(ms) * 1_000_000n;

/** The records of a window of a query. */
export async function relationOf(
  context: MetricsContext,
  tenant: Tenant,
  query: ReadQuery,
  measures: readonly PlannedMeasure[],
  window: MetricWindow,
): Promise<Readable> {
  const rollups = isOfRollups(query, measures) ? await rollupsOf(context, tenant, query, measures, window) : null;
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
    if (dimension.part !== null) return { sql: partSql[dimension.part], isMany: false };
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
  measures: readonly PlannedMeasure[],
  { fromMs, beforeMs }: MetricWindow,
): Promise<Readable | null> {
  const oldestMs = retentionCutoff(plan, clock.now());
  const isByHour = buckets?.interval === 'hour' || buckets?.interval === '6h';
  const window = windowBetween(fromMs, beforeMs, { oldestMs, interval: isByHour ? 'hour' : 'day' });
  const { parts, parameters } = await planFigures(hourStates, projectId, window);
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
    sketchRollups(dirtyHours(parts)),
  );
  const start = "toDateTime(hour, 'UTC') AS start_time, toString(model) AS model";
  const ofCalls = `SELECT ${start}, ${sums}, calls AS n_of, ${noSketch} FROM ${calls}`;
  const ofSketches = `SELECT ${start}, ${noSums}, 0 AS n_of, durations, duration_counts, traces FROM ${sketches}`;
  const text = measures.some(({ ofSketches }) => ofSketches) ? `${ofCalls}\nUNION ALL\n${ofSketches}` : ofCalls;
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
