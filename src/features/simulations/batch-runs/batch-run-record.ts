import { sql } from 'kysely';
import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { BatchRun } from '../../../contract/simulations.ts';
import { exact, percentileOfArraySql } from '../../../platform/statistics/index.ts';
import { isShown } from '../shown-runs.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { BatchRunRow } from '../tables.ts';
import type { Database } from '../../../platform/postgres/index.ts';

type RecordContext = Pick<SimulationsContext, 'db' | 'pagesOf'>;

/** The figures of a batch run (docs/semantics.md, "Figures of a batch run"). Counts; milliseconds; US dollars. */
export interface RunFigures {
  passed: number;
  not_passed: number;
  errors: number;
  cancelled: number;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
  cost_usd: number;
  unpriced_calls: number;
  partly_priced_calls: number;
}

const noFigures: RunFigures = {
  passed: 0,
  not_passed: 0,
  errors: 0,
  cancelled: 0,
  latency_p50_ms: null,
  latency_p95_ms: null,
  cost_usd: 0,
  unpriced_calls: 0,
  partly_priced_calls: 0,
};

/** Computes the figures of a run from its items. */
export async function figuresOf(db: Database, runId: string): Promise<RunFigures> {
  const { rows } = await sql<RunFigures>`
    SELECT passed, not_passed, errors, cancelled, cost_usd, unpriced_calls, partly_priced_calls,
      ${sql.raw(percentileOfArraySql('latencies', 0.5))} AS latency_p50_ms,
      ${sql.raw(percentileOfArraySql('latencies', 0.95))} AS latency_p95_ms
    FROM (
      SELECT count(*) FILTER (WHERE status = 'passed')::int AS passed, count(*) FILTER (WHERE status = 'failed')::int AS not_passed,
        count(*) FILTER (WHERE status = 'error')::int AS errors, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
        coalesce(sum(cost_usd), 0) AS cost_usd, count(*) FILTER (WHERE cost_status = 'unpriced')::int AS unpriced_calls,
        count(*) FILTER (WHERE cost_status = 'partly_priced')::int AS partly_priced_calls,
        array_agg(latency_ms ORDER BY latency_ms) FILTER (WHERE latency_ms IS NOT NULL) AS latencies
      FROM simulation_items WHERE batch_run_id = ${runId}::uuid
    ) AS sums`.execute(db);
  const [figures] = rows;
  return figures ? { ...figures, cost_usd: exact(figures.cost_usd) } : noFigures;
}

/** A stored run. Errors: `not_found`, also for one of another project. */
export async function findBatchRun(db: Database, projectId: string, runId: string): Promise<BatchRunRow> {
  const row = await db
    .selectFrom('simulation_batch_runs')
    .selectAll()
    .where('id', '=', uuidOrNull(runId))
    .where('project_id', '=', projectId)
    .where(isShown)
    .executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', 'There is no such batch run in this project; list the batch runs to see which there are.');
}

/** One run. Errors: `not_found`. */
export async function getBatchRun(context: RecordContext, projectId: string, runId: string): Promise<BatchRun> {
  return recordOf(context, await findBatchRun(context.db, projectId, runId));
}

/** A run as the API returns it, with the figures so far. */
export async function recordOf(context: RecordContext, row: BatchRunRow): Promise<BatchRun> {
  const [record] = await recordsOf(context, [row]);
  return record as BatchRun;
}

/** Runs of one project as the API returns them, with the figures so far. */
export async function recordsOf({ db, pagesOf }: RecordContext, rows: readonly BatchRunRow[]): Promise<BatchRun[]> {
  const [first] = rows;
  if (!first) return [];
  const pages = await pagesOf(first.project_id);
  const existing = await existingRuns(
    db,
    rows.map((row) => row.dataset_run_id),
  );
  const records: BatchRun[] = [];
  // Sequentially: a run in progress may have 100,000 items.
  for (const row of rows) {
    const datasetRunId = existing.has(row.dataset_run_id) ? row.dataset_run_id : null;
    records.push(toRecord(row, await knownFigures(db, row), datasetRunId, pages));
  }
  return records;
}

function toRecord(row: BatchRunRow, figures: RunFigures, datasetRunId: string | null, pages: string): BatchRun {
  const { passed, not_passed: failed, errors: error, cancelled } = figures;
  const ended = passed + failed + error;
  return {
    id: row.id,
    scenarioId: row.scenario_id,
    scenarioName: row.scenario_name,
    label: row.label,
    status: row.status,
    error: row.status === 'failed' ? row.error : null,
    concurrency: row.concurrency,
    repetitions: row.repetitions,
    createdAt: row.created_at.toISOString(),
    startedAt: row.first_started_at?.toISOString() ?? null,
    completedAt: row.finished_at?.toISOString() ?? null,
    createdBy: row.created_by,
    counts: { total: row.total, pending: row.total - ended - cancelled, passed, failed, error, cancelled },
    passRate: ended === 0 ? null : passed / ended,
    errorRate: ended === 0 ? null : error / ended,
    latencyP50Ms: figures.latency_p50_ms,
    latencyP95Ms: figures.latency_p95_ms,
    costUsd: figures.cost_usd,
    unpricedCalls: figures.unpriced_calls,
    partlyPricedCalls: figures.partly_priced_calls,
    datasetId: row.dataset_id,
    datasetRunId,
    url: datasetRunId === null ? null : `${pages}/datasets/${row.dataset_id}/runs/${datasetRunId}`,
  };
}

async function knownFigures(db: Database, row: BatchRunRow): Promise<RunFigures> {
  const { passed, not_passed, errors, cancelled } = row;
  if (passed !== null && not_passed !== null && errors !== null && cancelled !== null) {
    return {
      passed,
      not_passed,
      errors,
      cancelled,
      latency_p50_ms: row.latency_p50_ms,
      latency_p95_ms: row.latency_p95_ms,
      cost_usd: row.cost_usd ?? 0,
      unpriced_calls: row.unpriced_calls ?? 0,
      partly_priced_calls: row.partly_priced_calls ?? 0,
    };
  }
  return row.first_started_at === null && row.status === 'queued' ? noFigures : figuresOf(db, row.id);
}

/** Those of the dataset runs that have not been deleted. */
async function existingRuns(db: Database, datasetRunIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM dataset_runs WHERE id = ANY(${[...datasetRunIds]}::uuid[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
