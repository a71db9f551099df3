import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { HourStates, ProjectHour, Sealed } from './hour-states.ts';

const rollupTables = ['model_hours', 'model_hour_sketches', 'quality_hours', 'graph_hours'] as const;
/** Maximum hours and days cleaned in one run. */
const maxHours = 1_000;
/** Maximum time for which a read may still use the previous seal. */
const graceMs = 5 * 60_000;

/**
 * Deletes rollup rows of seals that were replaced at least {@link graceMs} ago. Rows above the current seal stay, since a sealing may be
 * running. Rows of a failed sealing are deleted after the hour is sealed again.
 *
 * @returns how many hours and days were cleaned
 */
export async function deleteSupersededSeals(
  { clickhouse, hourStates }: { clickhouse: ClickHouse; hourStates: HourStates },
  limit = maxHours,
): Promise<number> {
  // The oldest first: hours that are being written always have several seals, and none that can be deleted yet.
  const superseded = await clickhouse.systemQuery<ProjectHour & { grain: 'hour' | 'day' }>(
    `SELECT toString(project_id) AS projectId, grain, toUnixTimestamp(stored.hour) AS hour FROM (
       ${rollupTables.map((table) => `SELECT project_id, grain, hour, seal FROM ${table}`).join(' UNION ALL ')}
     ) AS stored
     GROUP BY project_id, grain, stored.hour HAVING uniqExact(seal) > 1 ORDER BY stored.hour, project_id, grain LIMIT ${limit}`,
  );
  const { hour: hours = [], day: days = [] } = Object.groupBy(superseded, ({ grain }) => grain);
  const cleaned =
    (await deleteBelow(clickhouse, 'hour', await hourStates.longSealedHours(hours, graceMs))) +
    (await deleteBelow(clickhouse, 'day', await hourStates.longSealedDays(days, graceMs)));
  return cleaned;
}

/** Deletes the rows of hours or days under seals below the current one. */
async function deleteBelow(
  clickhouse: ClickHouse,
  grain: 'hour' | 'day',
  counting: ReadonlyArray<ProjectHour & Sealed>,
): Promise<number> {
  if (counting.length === 0) return 0;
  const hours = counting.map(({ hour }) => hour);
  for (const table of rollupTables) {
    const target = clickhouse.cluster === null ? table : `${table}_local ON CLUSTER '${clickhouse.cluster}'`;
    await clickhouse.command(
      `DELETE FROM ${target} WHERE project_id IN {projects:Array(UUID)} AND grain = '${grain}'
         AND hour >= toDateTime({first:UInt32}) AND hour <= toDateTime({last:UInt32})
         AND seal < transform(concat(toString(project_id), ' ', toString(toUnixTimestamp(hour))), {hours:Array(String)}, {seals:Array(UInt64)}, toUInt64(0))`,
      {
        projects: [...new Set(counting.map(({ projectId }) => projectId))],
        first: Math.min(...hours),
        last: Math.max(...hours),
        hours: counting.map(({ projectId, hour }) => `${projectId} ${hour}`),
        seals: counting.map(({ seal }) => seal),
      },
    );
  }
  return counting.length;
}
