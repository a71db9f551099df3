import { sealedRollups } from './rollup-sql.ts';
import type { Interval } from './window.ts';

/** Which parts a query reads: a window may have no sealed hours, or no dirty ones. */
export interface Parts {
  sealed: boolean;
  dirty: boolean;
  /** Rows outside `{rowsFrom:Int64}` to before `{rowsBefore:Int64}` (epoch milliseconds) are excluded. */
  partial?: boolean;
  /** Rows and rollups of other environments than `{environments:Array(String)}` are excluded. */
  environments?: boolean;
  /** `day` by default. */
  interval?: Interval;
}

const dirtyRows =
  'hour >= toDateTime(arrayMin({dirtyHours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({dirtyHours:Array(UInt32)})) AND toUnixTimestamp(hour) IN {dirtyHours:Array(UInt32)}';
const ofWindow =
  ' AND start_time >= fromUnixTimestamp64Milli({rowsFrom:Int64}) AND start_time < fromUnixTimestamp64Milli({rowsBefore:Int64})';

const ofEnvironments = ' AND environment IN {environments:Array(String)}';

/** Condition on rows: those of dirty hours that are in the window and the environments. */
export function dirtyHours({ partial, environments }: Parts): string {
  return `${dirtyRows}${partial ? ofWindow : ''}${environments ? ofEnvironments : ''}`;
}

/** Condition on rollup rows: those of current seals and of the environments. Without sealed parts it is not used. */
export function sealedHours({ environments }: Parts): string {
  return `${sealedRollups}${environments ? ofEnvironments : ''}`;
}

/**
 * The FROM source of `columns`, with the alias `part`: rollups of sealed hours, the rows of dirty hours, or both. Rollups alone need no
 * subquery: the engine plans such a statement for longer than it reads, and each level adds to the planning.
 *
 * @param rollups a table and a condition
 */
export function sourceOf(parts: Parts, columns: string, rollups: { table: string; where: string }, dirty: string): string {
  const [table = '', ...joined] = rollups.table.split(' ');
  const sealed = `${[table, 'AS part', ...joined].join(' ')} WHERE ${rollups.where}`;
  if (!parts.dirty) return sealed;
  const unsealed = `SELECT ${columns} FROM (${dirty})`;
  return parts.sealed
    ? `(\n  SELECT ${columns} FROM ${sealed}\n  UNION ALL\n  ${unsealed}\n) AS part`
    : `(\n  ${unsealed}\n) AS part`;
}
