/** The rows that a query may see: one project's, within its plan's retention. */
export interface TenantScope {
  projectId: string;
  /** Retention edge, epoch milliseconds; older rows are hidden. `null` only for jobs that must see all rows of the project. */
  oldestMs: number | null;
}

/** Every table that holds tenants' rows, with its retention column. {@link TenantSql} refuses other tables. */
export type TenantTables = Readonly<Record<string, { timeColumn: string; timeType: 'DateTime' | 'DateTime64' }>>;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The SETTINGS clause by which the engine filters every declared table by project and retention (`additional_table_filters`). The filter takes part in primary key
 * analysis and, under FINAL, is applied after rows were replaced.
 *
 * Throws when the project id is no UUID: it becomes part of the text.
 */
export function tenantSettings(tables: TenantTables, scope: TenantScope): string {
  if (!uuidPattern.test(scope.projectId)) throw new Error('a tenant scope needs a project id');
  const filters = Object.entries(tables).map(([table, { timeColumn, timeType }]) => {
    const project = `project_id = toUUID(\\'${scope.projectId}\\')`;
    return `'${table}': '${project}${retained(timeColumn, timeType, scope.oldestMs)}'`;
  });
  return `SETTINGS additional_table_filters = {${filters.join(', ')}}`;
}

function retained(column: string, type: 'DateTime' | 'DateTime64', oldestMs: number | null): string {
  if (oldestMs === null) return '';
  if (!Number.isSafeInteger(oldestMs)) throw new Error('a retention edge is a whole number of milliseconds');
  // A bucket counts as retained only when it began inside the retention: the edge bucket is read from its rows.
  const edge = type === 'DateTime' ? `toDateTime(${Math.ceil(oldestMs / 1000)})` : `fromUnixTimestamp64Milli(${oldestMs})`;
  return ` AND ${column} >= ${edge}`;
}
