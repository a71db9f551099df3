import { sql } from 'kysely';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

interface ProjectPlan {
  projectId: string;
  plan: Plan;
}

interface RetentionOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  clock: Clock;
  /** Every project with the plan of its organisation. */
  projects(): Promise<readonly ProjectPlan[]>;
}

/** What is derived goes before what it is derived from. */
const tables: ReadonlyArray<readonly [table: string, timeColumn: string]> = [
  ['model_hours', 'hour'],
  ['model_hour_sketches', 'hour'],
  ['quality_hours', 'hour'],
  ['calls', 'start_time'],
  ['quality', 'start_time'],
  ['traces', 'start_time'],
  ['scores', 'start_time'],
  ['spans', 'start_time'],
];

const dayMs = 86_400_000;
/** Projects that one statement names. */
const chunkSize = 500;

/** Projects whose rows are kept from the same moment on. */
interface Retention {
  projectIds: readonly string[];
  beforeMs: number;
}

/**
 * Deletes what is older than each project's retention (contract section 2, "Plans"). Reads leave it out at once; this gives its space
 * back. May run at any time and any number of times.
 *
 * Whole UTC days are deleted, so that a table is rewritten once a day at most, and nothing is rewritten where nothing is due. Deletions
 * are real ones (`ALTER TABLE ... DELETE`) and go on in the background: a lightweight `DELETE` only marks rows, and the parts of
 * an old month are never merged again, so that it would never free what it marked.
 *
 * @param signal stops between two tables
 */
export async function deleteExpired(options: RetentionOptions, signal?: AbortSignal): Promise<void> {
  const retentions = retentionsOf(await options.projects(), options.clock.now());
  // First of all: an hour without a state has no figures, whatever is still stored of it.
  for (const retention of retentions) {
    if (signal?.aborted) return;
    await deleteHourStates(options.postgres, retention);
  }
  for (const [table, timeColumn] of tables) {
    if (signal?.aborted) return;
    await deleteRows(options.clickhouse, table, timeColumn, retentions);
  }
}

function retentionsOf(projects: readonly ProjectPlan[], nowMs: number): Retention[] {
  const retentions: Retention[] = [];
  for (const [plan, ofPlan] of Map.groupBy(projects, (project) => project.plan)) {
    const beforeMs = Math.floor(retentionCutoff(plan, nowMs) / dayMs) * dayMs;
    for (let at = 0; at < ofPlan.length; at += chunkSize) {
      retentions.push({ projectIds: ofPlan.slice(at, at + chunkSize).map((project) => project.projectId), beforeMs });
    }
  }
  return retentions;
}

async function deleteRows(
  clickhouse: ClickHouse,
  table: string,
  timeColumn: string,
  retentions: readonly Retention[],
): Promise<void> {
  // What an earlier deletion leaves is found at the next run.
  if (await isDeleting(clickhouse, table)) return;
  const expired = (number: number | '') =>
    `project_id IN {projects${number}:Array(UUID)} AND ${timeColumn} < fromUnixTimestamp64Milli({before${number}:Int64}, 'UTC')`;
  const due: Retention[] = [];
  let named = 0;
  for (const { projectIds, beforeMs } of retentions) {
    if (named >= chunkSize) break;
    const rows = await clickhouse.systemQuery<{ project: string }>(
      `SELECT DISTINCT toString(project_id) AS project FROM ${table} WHERE ${expired('')}`,
      { projects: projectIds, before: String(beforeMs) },
    );
    if (rows.length > 0) due.push({ projectIds: rows.map((row) => row.project), beforeMs });
    named += rows.length;
  }
  if (due.length === 0) return;
  const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
  // One statement for all plans: each rewrites every part that it touches.
  await clickhouse.command(
    `ALTER TABLE ${target} DELETE WHERE ${due.map((_, number) => `(${expired(number)})`).join(' OR ')} SETTINGS mutations_sync = 0`,
    Object.fromEntries(
      due.flatMap(({ projectIds, beforeMs }, number) => [
        [`projects${number}`, projectIds],
        [`before${number}`, String(beforeMs)],
      ]),
    ),
  );
}

async function isDeleting(clickhouse: ClickHouse, table: string): Promise<boolean> {
  const local = clickhouse.cluster === null ? table : `${table}_local`;
  const running = await clickhouse.systemQuery(
    'SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1',
    { table: local },
  );
  return running.length > 0;
}

async function deleteHourStates(postgres: Database, { projectIds, beforeMs }: Retention): Promise<void> {
  await sql`DELETE FROM hour_states
    WHERE project_id = ANY(${projectIds}::uuid[]) AND hour < ${new Date(beforeMs).toISOString()}::timestamptz`.execute(postgres);
}
