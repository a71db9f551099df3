import { sql } from 'kysely';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { dayMs } from '../../contract/durations.ts';

interface ProjectPlan {
  organizationId: string;
  projectId: string;
  plan: Plan;
}

/** The expired rows of one project. */
export interface ExpiredRows {
  organizationId: string;
  projectId: string;
  /** Rows before this time are deleted, epoch milliseconds. */
  beforeMs: number;
  tables: readonly string[];
}

interface RetentionOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  clock: Clock;
  /** Every project with the plan of its organization. */
  projects(): Promise<readonly ProjectPlan[]>;
  /** Called before the deletion, with the tables that have expired rows. When it rejects, nothing is deleted until the next run. */
  onExpired(expired: readonly ExpiredRows[]): Promise<void>;
}

/** Derived tables before the tables from which they are derived. */
const tables: ReadonlyArray<readonly [table: string, ...timeColumns: string[]]> = [
  ['model_hours', 'hour'],
  ['model_hour_sketches', 'hour'],
  ['quality_hours', 'hour'],
  ['graph_hours', 'hour'],
  ['calls', 'start_time'],
  ['node_calls', 'start_time'],
  ['quality', 'start_time'],
  ['span_agents', 'start_time'],
  // A summary stays while a record of its trace is retained. It is never newer than that; the table is sorted by `start_time`.
  ['traces', 'start_time', 'newest_time'],
  ['trace_tags', 'start_time'],
  ['guardrail_activity', 'start_time'],
  // Also by arrival: a version of an outcome may have an older time than the version that it replaces, which would be read again.
  ['outcomes', 'start_time', 'addDays(fromUnixTimestamp64Micro(toInt64(version)), 1)'],
  ['scores', 'start_time'],
  // Which traces have comments; the comments themselves are in PostgreSQL.
  ['comments', 'start_time'],
  ['span_texts', 'start_time'],
  ['span_headers', 'start_time'],
  ['spans', 'start_time'],
];

/** Maximum projects in one statement. */
const chunkSize = 500;

/** Projects with the same retention edge. */
interface Retention {
  projectIds: readonly string[];
  beforeMs: number;
}

/**
 * Deletes rows older than each project's retention edge (docs/semantics.md, "Deletion of expired records"). Reads exclude them at once; the
 * deletion frees their space. May be repeated at any time.
 *
 * Deletes whole UTC days, so that a table is rewritten at most once a day, and only where rows have expired. Deletions are mutations
 * (`ALTER TABLE ... DELETE`) that run in the background: a lightweight `DELETE` only marks rows, and their space would never be freed, since
 * parts of an old month are not merged again.
 *
 * @param signal stops between two tables
 */
export async function deleteExpired(options: RetentionOptions, signal?: AbortSignal): Promise<void> {
  const projects = await options.projects();
  const retentions = retentionsOf(projects, options.clock.now());
  // First, since an hour without a state has no figures, even while rows of it are stored.
  for (const retention of retentions) {
    if (signal?.aborted) return;
    await deleteHourStates(options.postgres, retention);
  }
  const due: Array<{ table: string; timeColumns: readonly string[]; retentions: Retention[] }> = [];
  for (const [table, ...timeColumns] of tables) {
    if (signal?.aborted) return;
    const found = await dueRows(options.clickhouse, table, timeColumns, retentions);
    if (found.length > 0) due.push({ table, timeColumns, retentions: found });
  }
  if (due.length > 0) await options.onExpired(expiredRows(projects, due));
  for (const { table, timeColumns, retentions: found } of due) {
    if (signal?.aborted) return;
    await deleteRows(options.clickhouse, table, timeColumns, found);
  }
}

/** The expired rows by project. */
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

/** The condition for expired rows of a table; `number` distinguishes the parameters of several such conditions. */
function expiredSql(timeColumns: readonly string[], number: number | ''): string {
  const expired = timeColumns.map((column) => `${column} < fromUnixTimestamp64Milli({before${number}:Int64}, 'UTC')`);
  return `project_id IN {projects${number}:Array(UUID)} AND ${expired.join(' AND ')}`;
}

/** The projects that have expired rows in a table. */
async function dueRows(
  clickhouse: ClickHouse,
  table: string,
  timeColumns: readonly string[],
  retentions: readonly Retention[],
): Promise<Retention[]> {
  // Rows that an earlier, still running deletion leaves are found at the next run.
  if (await isDeleting(clickhouse, table)) return [];
  const due: Retention[] = [];
  let named = 0;
  for (const { projectIds, beforeMs } of retentions) {
    if (named >= chunkSize) break;
    const rows = await clickhouse.systemQuery<{ project: string }>(
      `SELECT DISTINCT toString(project_id) AS project FROM ${table} WHERE ${expiredSql(timeColumns, '')}`,
      { projects: projectIds, before: String(beforeMs) },
    );
    if (rows.length > 0) due.push({ projectIds: rows.map((row) => row.project), beforeMs });
    named += rows.length;
  }
  return due;
}

async function deleteRows(
  clickhouse: ClickHouse,
  table: string,
  timeColumns: readonly string[],
  due: readonly Retention[],
): Promise<void> {
  const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
  // One statement for all plans: each rewrites every part that it touches.
  await clickhouse.command(
    `ALTER TABLE ${target} DELETE WHERE ${due.map((_, number) => `(${expiredSql(timeColumns, number)})`).join(' OR ')} SETTINGS mutations_sync = 0`,
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
