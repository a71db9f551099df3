import { isUuid } from '../../contract/uuid.ts';
/** The rows that a query may see: one project's, within its plan's retention. */
export interface TenantScope {
  projectId: string;
  /** Retention edge, epoch milliseconds; older rows are hidden. `null` only for jobs that must see all rows of the project. */
  oldestMs: number | null;
  /**
   * Also shows rows that sum up records from both sides of the edge. Use them only to find the records to read: their other values include expired records and
   * must not be returned.
   */
  partlyExpired?: boolean;
}

interface TenantTable {
  /** The column that is compared with the retention edge. */
  timeColumn: string;
  timeType: 'DateTime' | 'DateTime64';
  /** For rows that sum up several records: the columns (`DateTime64(9)`) of the times of the oldest and of the newest one. */
  extent?: { oldest: string; newest: string };
}

/** Every table that holds tenants' rows, with its retention columns. {@link TenantSql} refuses other tables. */
export type TenantTables = Readonly<Record<string, TenantTable>>;

/**
 * The SETTINGS clause by which the engine filters every declared table by project and retention (`additional_table_filters`). The filter takes part in primary key
 * analysis and, under FINAL, is applied after rows were replaced.
 *
 * Throws when the project id is no UUID: it becomes part of the text.
 */
export function tenantSettings(tables: TenantTables, scope: TenantScope): string {
  if (!isUuid(scope.projectId)) throw new Error('a tenant scope needs a project id');
  const filters = Object.entries(tables).map(([table, description]) => {
    const project = `project_id = toUUID(\\'${scope.projectId}\\')`;
    return `'${table}': '${project}${retained(description, scope)}'`;
  });
  return `SETTINGS additional_table_filters = {${filters.join(', ')}}`;
}

function retained({ timeColumn, timeType, extent }: TenantTable, { oldestMs, partlyExpired }: TenantScope): string {
  if (oldestMs === null) return '';
  if (!Number.isSafeInteger(oldestMs)) throw new Error('a retention edge is a whole number of milliseconds');
  // A bucket counts as retained only when it began inside the retention: the edge bucket is read from its rows.
  if (timeType === 'DateTime') return ` AND ${timeColumn} >= toDateTime(${Math.ceil(oldestMs / 1000)})`;
  const edge = `fromUnixTimestamp64Milli(${oldestMs})`;
  if (!extent) return ` AND ${timeColumn} >= ${edge}`;
  if (partlyExpired) return ` AND ${extent.newest} >= ${edge}`;
  // As a number, so that no index of the column is used: under FINAL every granule that overlaps the selected ones would be read too.
  return ` AND ${timeColumn} >= ${edge} AND reinterpretAsInt64(${extent.oldest}) >= ${BigInt(oldestMs) * 1_000_000n}`;
}
