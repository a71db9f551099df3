import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { reachFailpoint } from '../../platform/failpoint/failpoint.ts';
import type { FiguresContext } from './figures-context.ts';
import { graphRollups } from './graph-rollup-sql.ts';
import type { UnsealedHour } from './hour-states.ts';
import { callRollups, insertRollups, qualityRollups, sketchRollups } from './rollup-sql.ts';
import { sealDays } from './seal-days.ts';

/** Maximum hours of one run. */
const maxHours = 200;
/** Maximum rows that one statement reads, unless a single hour has more. */
const maxRows = 2_000_000;

/**
 * Seals hours that are due: computes their rollup rows from the deduplicated calls and scores, writes them under a new seal, and
 * then stores that seal in PostgreSQL. A crash between the two leaves rows of an unknown seal, which are not read and later deleted.
 *
 * An hour that cannot be sealed goes to the end of the queue, and the job rejects after the other projects. When no hours are due, days
 * are sealed.
 *
 * @returns how many hours and days were sealed
 */
export async function sealHours({ clickhouse, hourStates }: FiguresContext): Promise<number> {
  const due = await hourStates.due(maxHours);
  const failures: unknown[] = [];
  let sealed = 0;
  for (const [projectId, hours] of Map.groupBy(due, (hour) => hour.projectId)) {
    try {
      for (const portion of await portions(clickhouse, projectId, hours)) {
        const seal = await hourStates.nextSeal();
        reachFailpoint('seal-taken');
        await writeRollups(clickhouse, projectId, portion, seal);
        reachFailpoint('rollups-written');
        await hourStates.seal(portion, seal);
        reachFailpoint('hours-sealed');
        sealed += portion.length;
      }
    } catch (error) {
      failures.push(error);
      await hourStates.postpone(hours);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} projects have hours that could not be sealed`);
  return due.length === 0 ? sealDays(clickhouse, hourStates) : sealed;
}

const hoursOfSeal =
  'toUnixTimestamp(hour) IN {hours:Array(UInt32)} AND hour >= toDateTime(arrayMin({hours:Array(UInt32)})) AND hour <= toDateTime(arrayMax({hours:Array(UInt32)}))';

/** Divides hours into portions, to bound the rows that one statement reads. */
async function portions(clickhouse: ClickHouse, projectId: string, hours: readonly UnsealedHour[]): Promise<UnsealedHour[][]> {
  const counted = await clickhouse.forTenant({ projectId, oldestMs: null }).query<{ start: number; stored: number }>(
    `SELECT toUnixTimestamp(hour) AS start, count() AS stored FROM (
         SELECT hour FROM calls WHERE ${hoursOfSeal} UNION ALL SELECT hour FROM node_calls WHERE ${hoursOfSeal}
       ) GROUP BY hour`,
    {
      hours: hours.map(({ hour }) => hour),
    },
  );
  const stored = new Map(counted.map((row) => [row.start, row.stored]));
  const divided: UnsealedHour[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const hour of hours) {
    const more = stored.get(hour.hour) ?? 0;
    const last = divided.at(-1);
    if (last && rows + more <= maxRows) {
      last.push(hour);
      rows += more;
    } else {
      divided.push([hour]);
      rows = more;
    }
  }
  return divided;
}

async function writeRollups(
  clickhouse: ClickHouse,
  projectId: string,
  hours: readonly UnsealedHour[],
  seal: number,
): Promise<void> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const parameters = { project: projectId, seal, hours: hours.map(({ hour }) => hour) };
  for (const statement of rollupStatements) await reader.insertSelect(statement, parameters);
}

/** The statements that fill the rollup tables; exported for their snapshot. */
export const rollupStatements: readonly string[] = [
  insertRollups('model_hours', 'hour', callRollups(hoursOfSeal)),
  insertRollups('model_hour_sketches', 'hour', sketchRollups(hoursOfSeal)),
  insertRollups('quality_hours', 'hour', qualityRollups(hoursOfSeal)),
  insertRollups('graph_hours', 'hour', graphRollups(hoursOfSeal)),
];
