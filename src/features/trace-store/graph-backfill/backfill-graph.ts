import { sql } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import { backfillNodeCalls } from './backfill-node-calls.ts';
import { backfillTraceNodes } from './backfill-trace-nodes.ts';

export interface BackfillGraphOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Maximum portions of one run, so that a backup does not wait for long. */
const maxPortions = 20;
/** Hours that one run marks. They are summed from their rows until they are sealed: all hours of a large project at once would hold every read. */
const maxHours = 48;

interface Backfill {
  projectId: string;
  /** Traces up to this id are derived; null when all are. */
  afterTraceId: string | null;
  /** Hours from this one on are marked, epoch seconds; null before the first portion. */
  markedFrom: number | null;
}

/**
 * Derives what the dependency graph needs of spans that releases without it stored (docs/semantics.md, "Dependency graph"). Continues where the last run
 * ended; each step may be repeated, and batches may be written meanwhile. When all rows of a project are derived, its hours are marked in portions, the
 * newest first.
 *
 * @param signal stops between two portions
 * @returns how many portions of rows were derived
 */
export async function backfillGraph(options: BackfillGraphOptions, signal?: AbortSignal): Promise<number> {
  const { clickhouse, postgres } = options;
  let portions = 0;
  for (const { projectId, afterTraceId, markedFrom } of await begun(postgres)) {
    for (let after = afterTraceId; after !== null; portions++) {
      if (portions >= maxPortions || signal?.aborted) return portions;
      after = await backfillNodeCalls(clickhouse, projectId, after);
      await sql`UPDATE graph_backfills SET after_trace_id = ${after} WHERE project_id = ${projectId}`.execute(postgres);
    }
    if (markedFrom === null && !(await backfillTraceNodes(clickhouse, projectId, signal))) return portions;
    await markPortion(options, projectId, markedFrom);
  }
  return portions;
}

/** Marks the newest hours before `markedFrom`, or ends the backfill of a project that has no more. */
async function markPortion(
  { clickhouse, postgres, markHours }: BackfillGraphOptions,
  projectId: string,
  markedFrom: number | null,
): Promise<void> {
  const hours = await clickhouse.forTenant({ projectId, oldestMs: null }).query<{ start: number }>(
    `SELECT DISTINCT toUnixTimestamp(hour) AS start FROM node_calls
     WHERE toUnixTimestamp(hour) < {markedFrom:UInt64} ORDER BY start DESC LIMIT ${maxHours}`,
    { markedFrom: markedFrom ?? 2 ** 32 },
  );
  await markHours(hours.map(({ start }) => ({ projectId, hour: start })));
  const first = hours.length < maxHours ? null : (hours.at(-1)?.start ?? null);
  if (first === null) await sql`DELETE FROM graph_backfills WHERE project_id = ${projectId}`.execute(postgres);
  else await sql`UPDATE graph_backfills SET marked_from = ${first} WHERE project_id = ${projectId}`.execute(postgres);
}

async function begun(postgres: Database): Promise<Backfill[]> {
  const { rows } = await sql<Backfill>`
    SELECT project_id AS "projectId", after_trace_id AS "afterTraceId", marked_from AS "markedFrom"
    FROM graph_backfills ORDER BY project_id LIMIT 100`.execute(postgres);
  return rows;
}
