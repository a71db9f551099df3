import { daySeconds } from '../../contract/durations.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { graphDays } from './graph-rollup-sql.ts';
import type { HourStates } from './hour-states.ts';
import { callSums, insertRollups, qualitySums, sealedRollups, sealParameters, summed } from './rollup-sql.ts';

/** Maximum days of one run. */
const maxDays = 100;
/** Maximum trace hashes of one model in one row. */
const maxTraces = 2_000_000;

/**
 * Sums the hourly rollups of past days into daily ones, so that a read over months does not read thousands of hours. The hourly rollups
 * stay: they are read again when an hour of the day changes.
 *
 * Errors: an `AggregateError` after all projects, when days of some could not be sealed.
 *
 * @returns how many days were sealed
 */
export async function sealDays(clickhouse: ClickHouse, hourStates: HourStates): Promise<number> {
  const due = await hourStates.dueDays(maxDays);
  const failures: unknown[] = [];
  for (const [projectId, days] of Map.groupBy(due, ({ projectId }) => projectId)) {
    const starts = days.map(({ day }) => day);
    await sealDaysOf(clickhouse, hourStates, projectId, starts).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `projects with days that could not be sealed: ${failures.length}`);
  return due.length;
}

async function sealDaysOf(
  clickhouse: ClickHouse,
  hourStates: HourStates,
  projectId: string,
  due: readonly number[],
): Promise<void> {
  // Allocated before the hours are read: an hour that changes later gets a higher seal.
  const seal = await hourStates.nextSeal();
  const window = { from: Math.min(...due), to: Math.max(...due) + daySeconds };
  const { hours, dirty } = await hourStates.plan(projectId, window.from, window.to);
  const dirtyDays = new Set(dirty.map(dayOf));
  const clean = due.filter((day) => !dirtyDays.has(day));
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const large = await reader.query<{ day: number }>(
    `SELECT DISTINCT toUnixTimestamp(toStartOfDay(hour)) AS day FROM model_hour_sketches
     WHERE grain = 'hour' AND hour >= toDateTime({from:UInt32}) AND hour < toDateTime({to:UInt32})
     GROUP BY toStartOfDay(hour), model, environment HAVING sum(length(traces)) > ${maxTraces}`,
    window,
  );
  const largeDays = new Set(large.map(({ day }) => day));
  const [tooLarge, days] = [clean.filter((day) => largeDays.has(day)), clean.filter((day) => !largeDays.has(day))];
  const wanted = new Set(days);
  const parameters = {
    project: projectId,
    seal,
    ...sealParameters(window, { days: [], hours: hours.filter(({ hour }) => wanted.has(dayOf(hour))) }),
  };
  if (days.length > 0) for (const statement of dayStatements) await reader.insertSelect(statement, parameters);
  await hourStates.sealDays(projectId, days, seal, false);
  await hourStates.sealDays(projectId, tooLarge, seal, true);
}

function dayOf(hour: number): number {
  return Math.floor(hour / daySeconds) * daySeconds;
}

/** The statements that sum the hourly rollups; exported for their snapshot. */
export const dayStatements: readonly string[] = [
  insertRollups(
    'model_hours',
    'day',
    `SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, part.dimension AS dimension, part.item AS item,
    ${summed(callSums, 'part')}, min(part.first_seen) AS first_seen, max(part.last_seen) AS last_seen
  FROM (SELECT * FROM model_hours WHERE ${sealedRollups}) AS part
  GROUP BY hour, model, environment, dimension, item`,
  ),
  insertRollups(
    'model_hour_sketches',
    'day',
    `SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, sumMap(part.durations, part.duration_counts).1 AS durations,
    sumMap(part.durations, part.duration_counts).2 AS duration_counts, arraySort(groupUniqArrayArray(part.traces)) AS traces
  FROM (SELECT * FROM model_hour_sketches WHERE ${sealedRollups}) AS part
  GROUP BY hour, model, environment`,
  ),
  insertRollups(
    'quality_hours',
    'day',
    `SELECT toDateTime(toStartOfDay(part.hour)) AS hour, part.model AS model, part.environment AS environment, part.evaluator AS evaluator, ${summed(qualitySums, 'part')}
  FROM (SELECT * FROM quality_hours WHERE ${sealedRollups}) AS part
  GROUP BY hour, model, environment, evaluator`,
  ),
  insertRollups('graph_hours', 'day', graphDays),
];
