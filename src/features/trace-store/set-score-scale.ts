import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { scaleFields } from '../records/index.ts';
import type { BatchBuilder } from './batches/batch-builder.ts';
import type { TouchedHour } from './pipeline-port.ts';
import { quality } from './tables/quality.ts';
import { scores } from './tables/scores.ts';

export interface SetScoreScaleOptions {
  clickhouse: ClickHouse;
  builder: Pick<BatchBuilder, 'forget'>;
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** The scores that one evaluator gave before scores were stored with their scale. */
export interface UnscaledScores {
  projectId: string;
  /** What the ids of its scores begin with. */
  idPrefix: string;
  /** Its slug, where another evaluator of the project has the same prefix; else `''`. */
  slug: string;
  /** Scores of this version and above have their scale (the version of a row is microseconds since the epoch, at least). */
  beforeVersion: number;
}

/** Maximum scores of one statement, unless a single hour has more. */
const maxRows = 500_000;

const scaleColumns = ['scale_min', 'scale_max', 'is_quality'];
const unscaled =
  "source = 'evaluator' AND startsWith(score_id, {prefix:String}) AND (empty({slug:String}) OR evaluator = {slug:String}) AND version < {before:UInt64} AND scale_min = 0 AND scale_max = 1 AND is_quality = 1";
const inPortion =
  'start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64})';

/** The number of unscaled scores by hour. */
export const unscaledHoursSql = `SELECT toUnixTimestamp(toStartOfHour(start_time)) AS hour, count() AS unscaled FROM scores FINAL
WHERE ${unscaled} GROUP BY hour ORDER BY hour`;

/** Writes rows of `table` again, with the scale and under their own version: the later of two rows of one version counts. */
function rewriteSql(table: typeof scores | typeof quality, where: string): string {
  const columns = table.layout.map(([column]) => column);
  const kept = columns.filter((column) => !scaleColumns.includes(column));
  return `INSERT INTO ${table.name} (${[...kept, ...scaleColumns].join(', ')})
SELECT ${kept.map((column) => `${table.name}.${column}`).join(', ')}, {least:Float64}, {most:Float64},
  toUInt8({isQuality:UInt8} = 1 AND ${table.name}.score >= {least:Float64} AND ${table.name}.score <= {most:Float64})
FROM ${table.name} FINAL
WHERE ${inPortion} AND ${where}`;
}

/** The statements of a portion in order: `scores` last, because its rows determine which scores have no scale yet. */
export const rewriteStatements: readonly string[] = [
  rewriteSql(quality, `score_id GLOBAL IN (SELECT score_id FROM scores FINAL WHERE ${inPortion} AND ${unscaled})`),
  rewriteSql(scores, unscaled),
];

/**
 * Gives stored scores of an evaluator the scale that it has (docs/semantics.md, "Quality"), and marks their hours. A score outside of the scale was given
 * on another one, which is not known, and does not count. May be repeated. No batch may be written and no trace deleted meanwhile.
 *
 * @param scale lowest and highest score; null for an evaluator that does not measure quality
 */
export async function setScoreScale(
  { clickhouse, builder, markHours }: SetScoreScaleOptions,
  { projectId, idPrefix, slug, beforeVersion }: UnscaledScores,
  scale: readonly [number, number] | null,
): Promise<void> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const { scaleMin, scaleMax, isQuality } = scaleFields(scale);
  const parameters = { prefix: idPrefix, slug, before: beforeVersion };
  const scaled = { ...parameters, least: scaleMin, most: scaleMax, isQuality: Number(isQuality) };
  for (const hours of portions(await reader.query<UnscaledHour>(unscaledHoursSql, parameters))) {
    const touched = hours.map(({ hour }) => ({ projectId, hour }));
    const portion = { fromMs: (hours[0]?.hour ?? 0) * 1000, beforeMs: ((hours.at(-1)?.hour ?? 0) + 3_600) * 1000 };
    await markHours(touched);
    for (const statement of rewriteStatements) await reader.insertSelect(statement, { ...scaled, ...portion });
    await markHours(touched);
  }
  await builder.forget(projectId, null);
}

interface UnscaledHour {
  /** Its start, epoch seconds. */
  hour: number;
  unscaled: number;
}

/** Divides hours into portions of consecutive ones, to bound the rows that one statement writes. */
function portions(hours: readonly UnscaledHour[]): UnscaledHour[][] {
  const divided: UnscaledHour[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const hour of hours) {
    const last = divided.at(-1);
    if (last && rows + hour.unscaled <= maxRows) {
      last.push(hour);
      rows += hour.unscaled;
    } else {
      divided.push([hour]);
      rows = hour.unscaled;
    }
  }
  return divided;
}
