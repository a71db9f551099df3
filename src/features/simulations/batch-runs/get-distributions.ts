import { sql } from 'kysely';
import type { Distribution, Distributions, ItemChange } from '../../../contract/simulations.ts';
import { exact } from '../../../platform/statistics/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { BatchRunRow } from '../tables.ts';
import { findBatchRun } from './batch-run-record.ts';
import { changeConditions, joinBaseline } from './compared-items.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** Ranges of equal width up to the 99th percentile; one more for what is beyond. */
const maxRanges = 24;

/**
 * The distributions of latency and cost over the items of a run, beside those of a baseline, and how many items changed from it (docs/semantics.md,
 * "Distributions"). Scans the items of both runs three times.
 *
 * Errors: `not_found`.
 */
export async function getDistributions(
  { db }: Pick<SimulationsContext, 'db'>,
  projectId: string,
  runId: string,
  baselineId: string | undefined,
): Promise<Distributions> {
  const run = await findBatchRun(db, projectId, runId);
  const baseline = baselineId === undefined ? null : await findBatchRun(db, projectId, baselineId);
  const ids = baseline === null ? [run.id] : [run.id, baseline.id];
  const { latency, cost } = await edgesOf(db, ids);
  const { rows } = await sql<{ run: string; latency: number | null; cost: number | null; count: number }>`
    SELECT batch_run_id AS run, width_bucket(latency_ms, ${latency}::float8[]) AS latency, width_bucket(cost_usd, ${cost}::float8[]) AS cost,
      count(*)::int AS count
    FROM simulation_items WHERE batch_run_id = ANY(${ids}::uuid[]) GROUP BY 1, 2, 3`.execute(db);
  const rangesOf = (edges: readonly number[], measure: 'latency' | 'cost'): Distribution => {
    // Ranges are counted from 1; items without a value have none.
    const countIn = (id: string, range: number) =>
      rows.filter((row) => row.run === id && row[measure] === range).reduce((sum, { count }) => sum + count, 0);
    return edges.map((from, index) => ({
      from,
      to: edges[index + 1] ?? null,
      count: countIn(run.id, index + 1),
      baseline: baseline === null ? null : countIn(baseline.id, index + 1),
    }));
  };
  return {
    latencyMs: rangesOf(latency, 'latency'),
    costUsd: rangesOf(cost, 'cost'),
    changes: baseline === null ? null : await countChanges(db, run.id, baseline),
  };
}

/** Where the ranges of both measures begin; empty without values. */
async function edgesOf(db: Database, runIds: readonly string[]): Promise<{ latency: number[]; cost: number[] }> {
  const { rows } = await sql<Record<'latency_low' | 'latency_high' | 'cost_low' | 'cost_high', number | null>>`
    SELECT min(latency_ms) AS latency_low, percentile_disc(0.99) WITHIN GROUP (ORDER BY latency_ms) AS latency_high,
      min(cost_usd) AS cost_low, percentile_disc(0.99) WITHIN GROUP (ORDER BY cost_usd) AS cost_high
    FROM simulation_items WHERE batch_run_id = ANY(${[...runIds]}::uuid[])`.execute(db);
  const [found] = rows;
  const edges = (low: number | null | undefined, high: number | null | undefined) =>
    typeof low === 'number' && typeof high === 'number' ? rangeEdges(low, high) : [];
  return {
    latency: edges(found?.latency_low, found?.latency_high),
    cost: edges(found?.cost_low, found?.cost_high),
  };
}

/**
 * Multiples of a round width (1, 2 or 5 times a power of ten): the last one that is at most `low`, and those up to the first beyond `high`.
 *
 * @param low 0 or more
 * @returns 2 to 25 numbers
 */
export function rangeEdges(low: number, high: number): number[] {
  // Multiples of a width that is too small, or too small beside the values, are not exact.
  const width = high === 0 ? 1 : roundWidth(Math.max((high - low) / (maxRanges - 2), high * 1e-12, 1e-100));
  const first = Math.floor(low / width);
  const last = Math.floor(high / width) + 1;
  // 15 digits: 3 * 0.1 is 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, index) => exact((first + index) * width));
}

function roundWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return exact(factor * power);
}

async function countChanges(db: Database, runId: string, baseline: BatchRunRow): Promise<Record<ItemChange, number>> {
  const { regressed, improved, unchanged, newly_failing } = changeConditions;
  const { rows } = await sql<Record<ItemChange, number>>`
    SELECT count(*) FILTER (WHERE ${regressed})::int AS regressed, count(*) FILTER (WHERE ${improved})::int AS improved,
      count(*) FILTER (WHERE ${unchanged})::int AS unchanged, count(*) FILTER (WHERE ${newly_failing})::int AS newly_failing
    FROM simulation_items AS item ${joinBaseline(baseline)} WHERE item.batch_run_id = ${runId}::uuid`.execute(db);
  return rows[0] ?? { regressed: 0, improved: 0, unchanged: 0, newly_failing: 0 };
}
