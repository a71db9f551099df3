import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';
import { isPreparing } from '../shown-runs.ts';

/** Items deleted by one statement: others wait while it runs. */
const deletedAtOnce = 2_000;

/** Deletes a run that was not shown yet. */
export async function removeRun(db: Database, runId: string): Promise<void> {
  for (const table of ['simulation_items', 'simulation_inputs'] as const) {
    for (let deleted = deletedAtOnce; deleted >= deletedAtOnce;) {
      const result = await sql`DELETE FROM ${sql.table(table)} WHERE batch_run_id = ${runId}::uuid AND place IN
        (SELECT place FROM ${sql.table(table)} WHERE batch_run_id = ${runId}::uuid ORDER BY place LIMIT ${deletedAtOnce})`.execute(
        db,
      );
      deleted = Number(result.numAffectedRows ?? 0);
    }
  }
  await sql`DELETE FROM simulation_batch_runs WHERE id = ${runId}::uuid AND ${isPreparing}`.execute(db);
}

/** Deletes runs whose process ended while it copied their items. @returns runs */
export async function removeUnpreparedRuns(db: Database, nowMs: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM simulation_batch_runs
    WHERE status = 'queued' AND ${isPreparing} AND lease_until < ${new Date(nowMs)}`.execute(db);
  for (const { id } of rows) await removeRun(db, id);
  return rows.length;
}
