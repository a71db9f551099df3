import { sql } from 'kysely';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

interface ProjectPlan {
  organizationId: string;
  projectId: string;
  plan: Plan;
}

/** What is deleted of one project. */
export interface ExpiredRows {
  organizationId: string;
  projectId: string;
  /** Everything before this moment goes, epoch milliseconds. */
  beforeMs: number;
  tables: readonly string[];
}

interface RetentionOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  clock: Clock;
  /** Every project with the plan of its organisation. */
  projects(): Promise<readonly ProjectPlan[]>;
  /** Told before rows are deleted, of which there are some in every table named; when it fails, nothing is deleted until the next run. */
  onExpired(expired: readonly ExpiredRows[]): Promise<void>;
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
  const projects = await options.projects();
  const retentions = retentionsOf(projects, options.clock.now());
  // First of all: an hour without a state has no figures, whatever is still stored of it.
  for (const retention of retentions) {
    if (signal?.aborted) return;
    await deleteHourStates(options.postgres, retention);
  }
  const due: Array<{ table: string; timeColumn: string; retentions: Retention[] }> = [];
  for (const [table, timeColumn] of tables) {
    if (signal?.aborted) return;
    const found = await dueRows(options.clickhouse, table, timeColumn, retentions);
    if (found.length > 0) due.push({ table, timeColumn, retentions: found });
  }
  if (due.length > 0) await options.onExpired(expiredRows(projects, due));
  for (const { table, timeColumn, retentions: found } of due) {
    if (signal?.aborted) return;
    await deleteRows(options.clickhouse, table, timeColumn, found);
  }
}

/** The same project by project. */
function expiredRows(
  projects: readonly ProjectPlan[],
  due: ReadonlyArray<{ table: string; retentions: readonly Retention[] }>,
): ExpiredRows[] {
  const found = new Map<string, { beforeMs: number; tables: string[] }>();
  for (const { table, retentions } of due) {
    for (const { projectIds, beforeMs } of retentions) {
      for (const projectId of projectIds) {
        const rows = found.get(projectId) ?? { beforeMs, tables: [] };
        rows.tables.push(table);
        found.set(projectId, rows);
      }
    }
  }
  return projects.flatMap(({ organizationId, projectId }) => {
    const rows = found.get(projectId);
    return rows ? [{ organizationId, projectId, ...rows }] : [];
  });
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

/** Which of a table's rows are expired: `number` tells the parameters of several such conditions apart. */
function expiredSql(timeColumn: string, number: number | ''): string {
  return `project_id IN {projects${number}:Array(UUID)} AND ${timeColumn} < fromUnixTimestamp64Milli({before${number}:Int64}, 'UTC')`;
}

/** The projects that have expired rows in a table. */
async function dueRows(
  clickhouse: ClickHouse,
  table: string,
  timeColumn: string,
  retentions: readonly Retention[],
): Promise<Retention[]> {
  // What an earlier deletion leaves is found at the next run.
  if (await isDeleting(clickhouse, table)) return [];
  const due: Retention[] = [];
  let named = 0;
  for (const { projectIds, beforeMs } of retentions) {
    if (named >= chunkSize) break;
    const rows = await clickhouse.systemQuery<{ project: string }>(
      `SELECT DISTINCT toString(project_id) AS project FROM ${table} WHERE ${expiredSql(timeColumn, '')}`,
      { projects: projectIds, before: String(beforeMs) },
    );
    if (rows.length > 0) due.push({ projectIds: rows.map((row) => row.project), beforeMs });
    named += rows.length;
  }
  return due;
}

async function deleteRows(clickhouse: ClickHouse, table: string, timeColumn: string, due: readonly Retention[]): Promise<void> {
  const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
  // One statement for all plans: each rewrites every part that it touches.
  await clickhouse.command(
    `ALTER TABLE ${target} DELETE WHERE ${due.map((_, number) => `(${expiredSql(timeColumn, number)})`).join(' OR ')} SETTINGS mutations_sync = 0`,
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
