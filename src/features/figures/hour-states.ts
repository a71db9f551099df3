import { daySeconds, hourMs, hourSeconds } from '../../contract/durations.ts';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** An hour of a project; `hour` is its start in epoch seconds. */
export interface ProjectHour {
  projectId: string;
  hour: number;
}

/** An hour that is not sealed; `dirty` is the mark as the sealing read it. */
export interface UnsealedHour extends ProjectHour {
  dirty: number;
}

/** The current rollup rows of an hour or day: `hour` is its start (epoch seconds), `seal` the seal of its rows. */
export interface Sealed {
  hour: number;
  seal: number;
}

/** How the hours of a window are read. Each hour that has rows is in one of the three lists. */
export interface HourPlan {
  /** Whole days that are read from rollups. */
  days: Sealed[];
  /** Further hours that are read from rollups. */
  hours: Sealed[];
  /** Starts of the hours that are read from rows, since their rollups are missing or out of date. */
  dirty: number[];
}

/** A day of a project; `day` is its start in epoch seconds. */
export interface ProjectDay {
  projectId: string;
  day: number;
}

/** An hour is sealed when it was not marked for this long, */
const quietMs = 5_000;
/** or when it has been dirty for this long, even if it is still being marked. */
const maxDirtyMs = 60_000;
/** A day is sealed as a whole when it has been over for this long: late spans are common just after midnight. */
const dayDelayMs = hourMs;
/** What the rollups that this release seals hold: migrations/postgres/0041_rollup_layouts.sql. */
export const rollupLayout = 2;
/** An hour whose rollups have an older layout is sealed again when nothing marked or postponed it for this long. */
const oldLayoutDelayMs = 10 * 60_000;
/** Minimum time between two searches for days to seal: a search reads all hours. */
const daySearchIntervalMs = 5 * 60_000;
/** The numbers of the three lists in the query of {@link HourStates.plan}. */
const partKinds = { dirty: 0, hour: 1, day: 2 };

/**
 * The state of each hour that has figures (table `hour_states`). Every batch increments the mark before and after it writes. A
 * sealing stores the mark that it read, so that an hour marked in the meantime stays dirty.
 */
export class HourStates {
  readonly #db: Database;
  readonly #clock: Clock;
  #daysSearchedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The same states with another clock: `spanwise seed` seals at once the hours that it has written. */
  at(clock: Clock): HourStates {
    return new HourStates(this.#db, clock);
  }

  /** Marks hours whose figures change. One statement. */
  async mark(hours: readonly ProjectHour[]): Promise<void> {
    if (hours.length === 0) return;
    const now = this.#now();
    // Unique, since PostgreSQL refuses to update a row twice in one statement. Sorted, so that two batches cannot deadlock.
    const unique = new Map(hours.map((hour) => [`${hour.projectId} ${hour.hour}`, hour]));
    const ordered = [...unique.values()].toSorted(byProjectAndHour);
    const { projects, starts } = columnsOf(ordered);
    await sql`INSERT INTO hour_states (project_id, hour, dirty_at, dirty_since)
      SELECT project_id, to_timestamp(hour), ${now}::timestamptz, ${now}::timestamptz
      FROM unnest(${projects}::uuid[], ${starts}::bigint[]) AS touched (project_id, hour)
      ON CONFLICT (project_id, hour) DO UPDATE SET
        dirty = hour_states.dirty + 1,
        dirty_at = greatest(hour_states.dirty_at, excluded.dirty_at),
        dirty_since = CASE WHEN hour_states.dirty = hour_states.sealed THEN excluded.dirty_since ELSE hour_states.dirty_since END`.execute(
      this.#db,
    );
  }

  /**
   * Marks every hour of all projects that was marked at or after `sinceMs`. Used at a start after a crash: a batch that wrote its rows
   * but did not mark its hours again finds no change when it is repeated, and the hour may have been sealed meanwhile.
   */
  async markTouchedSince(sinceMs: number): Promise<void> {
    const now = this.#now();
    await sql`UPDATE hour_states SET dirty = dirty + 1, dirty_at = ${now}::timestamptz,
        dirty_since = CASE WHEN dirty = sealed THEN ${now}::timestamptz ELSE dirty_since END
      WHERE dirty_at >= ${timestamp(sinceMs)}::timestamptz`.execute(this.#db);
  }

  /**
   * Plans how to read the hours of a project from `from` (inclusive) to `to` (exclusive, epoch seconds), with days instead of hours where
   * they are sealed.
   *
   * @param rollupsFrom hours and days that start before it are not read from rollups (epoch seconds)
   * @param rollupsTo nor those that end after it
   * @param interval with `hour`, days are not read from rollups
   * @param layout hours and days whose rollups have an older one are not read from them
   */
  async plan(
    projectId: string,
    from: number,
    to: number,
    {
      rollupsFrom = from,
      rollupsTo = to,
      interval = 'day',
      layout = 1,
    }: { rollupsFrom?: number; rollupsTo?: number; interval?: 'day' | 'hour'; layout?: number } = {},
  ): Promise<HourPlan> {
    // Arrays in one row: fetching thousands of rows would take longer than reading the figures.
    const { rows } = await sql<{ starts: string | null; seals: string | null; kinds: string | null }>`
      WITH hours AS (
        SELECT extract(epoch FROM hour)::bigint AS hour, (hour AT TIME ZONE 'UTC')::date AS day, dirty = sealed AND layout >= ${layout} AS clean, seal FROM hour_states
        WHERE project_id = ${projectId} AND hour >= to_timestamp(${from}) AND hour < to_timestamp(${to})
      ), days AS (
        SELECT day_states.day, extract(epoch FROM day_states.day)::bigint AS hour, day_states.seal FROM day_states
        JOIN (SELECT day, bool_and(clean) AS clean, max(seal) AS newest FROM hours GROUP BY day) AS its_hours ON its_hours.day = day_states.day
        WHERE project_id = ${projectId} AND clean AND newest < day_states.seal AND NOT too_large AND layout >= ${layout}
          AND extract(epoch FROM day_states.day) >= ${rollupsFrom} AND extract(epoch FROM day_states.day) + ${daySeconds} <= ${rollupsTo}
          AND ${interval === 'day'}
      ), parts AS (
        SELECT hour, seal, CASE WHEN clean AND hour >= ${rollupsFrom}::bigint AND hour + ${hourSeconds} <= ${rollupsTo}::bigint THEN ${sql.lit(partKinds.hour)} ELSE ${sql.lit(partKinds.dirty)} END AS kind
        FROM hours WHERE day NOT IN (SELECT day FROM days)
        UNION ALL SELECT hour, seal, ${sql.lit(partKinds.day)} FROM days
      )
      SELECT array_agg(hour ORDER BY hour)::text AS starts, array_agg(seal ORDER BY hour)::text AS seals,
        array_agg(kind ORDER BY hour)::text AS kinds FROM parts`.execute(this.#db);
    const [seals, kinds] = [numbersOf(rows[0]?.seals), numbersOf(rows[0]?.kinds)];
    const parts = numbersOf(rows[0]?.starts).map((hour, index) => ({ hour, seal: seals[index] ?? 0, kind: kinds[index] }));
    const of = (wanted: number) => parts.filter(({ kind }) => kind === wanted).map(({ hour, seal }) => ({ hour, seal }));
    return { days: of(partKinds.day), hours: of(partKinds.hour), dirty: of(partKinds.dirty).map(({ hour }) => hour) };
  }

  /** Hours that are due for sealing: those that have changed, longest waiting first, then those whose rollups have an older layout, newest first. */
  async due(limit: number): Promise<UnsealedHour[]> {
    const now = this.#clock.now();
    const { rows } = await sql<UnsealedHour>`
      SELECT project_id AS "projectId", extract(epoch FROM hour)::bigint AS hour, dirty FROM hour_states
      WHERE dirty > sealed AND (dirty_at <= ${timestamp(now - quietMs)}::timestamptz OR dirty_since <= ${timestamp(now - maxDirtyMs)}::timestamptz)
      ORDER BY dirty_since, project_id, hour LIMIT ${limit}`.execute(this.#db);
    if (rows.length >= limit) return rows;
    const old = await sql<UnsealedHour>`
      SELECT project_id AS "projectId", extract(epoch FROM hour)::bigint AS hour, dirty FROM hour_states
      WHERE layout < ${sql.lit(rollupLayout)} AND dirty = sealed AND dirty_at <= ${timestamp(now - oldLayoutDelayMs)}::timestamptz
      ORDER BY hour DESC, project_id LIMIT ${limit - rows.length}`.execute(this.#db);
    return [...rows, ...old.rows];
  }

  /** Allocates a new seal, higher than every earlier one. */
  async nextSeal(): Promise<number> {
    const { rows } = await sql<{ seal: number }>`SELECT nextval('hour_seals') AS seal`.execute(this.#db);
    return rows[0]?.seal ?? 0;
  }

  /** Makes `seal` the current seal of these hours, whose rollup rows include everything up to the marks in `hours`. */
  async seal(hours: readonly UnsealedHour[], seal: number): Promise<void> {
    const { projects, starts } = columnsOf(hours);
    await sql`UPDATE hour_states SET sealed = answered.dirty, seal = ${seal}, layout = ${sql.lit(rollupLayout)}, sealed_at = ${this.#now()}::timestamptz
      FROM unnest(${projects}::uuid[], ${starts}::bigint[], ${hours.map(({ dirty }) => dirty)}::bigint[]) AS answered (project_id, hour, dirty)
      WHERE hour_states.project_id = answered.project_id AND hour_states.hour = to_timestamp(answered.hour)
        AND (hour_states.sealed < answered.dirty OR hour_states.sealed = answered.dirty AND hour_states.layout < ${sql.lit(rollupLayout)})`.execute(
      this.#db,
    );
  }

  /** Moves hours whose sealing failed to the end of the queue. */
  async postpone(hours: readonly ProjectHour[]): Promise<void> {
    const { projects, starts } = columnsOf(hours);
    const now = this.#now();
    await sql`UPDATE hour_states SET dirty_at = ${now}::timestamptz, dirty_since = ${now}::timestamptz
      FROM unnest(${projects}::uuid[], ${starts}::bigint[]) AS failed (project_id, hour)
      WHERE hour_states.project_id = failed.project_id AND hour_states.hour = to_timestamp(failed.hour)`.execute(this.#db);
  }

  /**
   * Past days whose hours are all sealed and that have no seal or an older one than their hours. Returns none within {@link daySearchIntervalMs} of a search that
   * found fewer than `limit`. The newest come first, so that a few days that cannot be sealed do not delay those of other projects.
   */
  async dueDays(limit: number): Promise<ProjectDay[]> {
    const now = this.#clock.now();
    if (now >= this.#daysSearchedAt && now - this.#daysSearchedAt < daySearchIntervalMs) return [];
    const { rows } = await sql<ProjectDay>`
      SELECT project_id AS "projectId", extract(epoch FROM day)::bigint AS day
      FROM (
        SELECT project_id, (hour AT TIME ZONE 'UTC')::date AS day, bool_and(dirty = sealed) AS clean, max(seal) AS newest
        FROM hour_states WHERE hour < to_timestamp(${Math.floor((now - dayDelayMs) / 1000 / daySeconds) * daySeconds})
        GROUP BY 1, 2
      ) AS days
      LEFT JOIN day_states USING (project_id, day)
      WHERE clean AND (day_states.seal IS NULL OR day_states.seal < newest)
      ORDER BY day DESC, project_id LIMIT ${limit}`.execute(this.#db);
    this.#daysSearchedAt = rows.length < limit ? now : Number.NEGATIVE_INFINITY;
    return rows;
  }

  /** Makes `seal` the current seal of these days, whose layout is the oldest of their hours. It was allocated before their hours were read. */
  async sealDays(projectId: string, days: readonly number[], seal: number, tooLarge: boolean): Promise<void> {
    await sql`INSERT INTO day_states (project_id, day, seal, sealed_at, too_large, layout)
      SELECT ${projectId}::uuid, (to_timestamp(day) AT TIME ZONE 'UTC')::date, ${seal}::bigint, ${this.#now()}::timestamptz, ${tooLarge}::boolean,
        (SELECT coalesce(min(layout), 1) FROM hour_states WHERE project_id = ${projectId}
          AND hour >= to_timestamp(day) AND hour < to_timestamp(day + ${daySeconds}))
      FROM unnest(${days}::bigint[]) AS sealed (day)
      ON CONFLICT (project_id, day) DO UPDATE SET
        seal = excluded.seal, sealed_at = excluded.sealed_at, too_large = excluded.too_large, layout = excluded.layout`.execute(
      this.#db,
    );
  }

  /** The hours among `hours` that were last sealed at least `graceMs` ago, with their seals. */
  async longSealedHours(hours: readonly ProjectHour[], graceMs: number): Promise<Array<ProjectHour & Sealed>> {
    const { projects, starts } = columnsOf(hours);
    const { rows } = await sql<ProjectHour & Sealed>`
      SELECT hour_states.project_id AS "projectId", asked.hour, seal FROM hour_states
      JOIN unnest(${projects}::uuid[], ${starts}::bigint[]) AS asked (project_id, hour)
        ON hour_states.project_id = asked.project_id AND hour_states.hour = to_timestamp(asked.hour)
      WHERE sealed_at <= ${timestamp(this.#clock.now() - graceMs)}::timestamptz`.execute(this.#db);
    return rows;
  }

  /** The days among `days`, given by their starts, that were last sealed at least `graceMs` ago, with their seals. */
  async longSealedDays(days: readonly ProjectHour[], graceMs: number): Promise<Array<ProjectHour & Sealed>> {
    const { projects, starts } = columnsOf(days);
    const { rows } = await sql<ProjectHour & Sealed>`
      SELECT day_states.project_id AS "projectId", asked.hour, seal FROM day_states
      JOIN unnest(${projects}::uuid[], ${starts}::bigint[]) AS asked (project_id, hour)
        ON day_states.project_id = asked.project_id AND day_states.day = (to_timestamp(asked.hour) AT TIME ZONE 'UTC')::date
      WHERE sealed_at <= ${timestamp(this.#clock.now() - graceMs)}::timestamptz`.execute(this.#db);
    return rows;
  }

  #now(): string {
    return timestamp(this.#clock.now());
  }
}

/** ISO 8601 text in UTC: the driver would write a Date in the machine's time zone. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

function columnsOf(hours: readonly ProjectHour[]): { projects: string[]; starts: number[] } {
  return { projects: hours.map(({ projectId }) => projectId), starts: hours.map(({ hour }) => hour) };
}

function byProjectAndHour(left: ProjectHour, right: ProjectHour): number {
  if (left.projectId !== right.projectId) return left.projectId < right.projectId ? -1 : 1;
  return left.hour - right.hour;
}

/** Parses PostgreSQL's array text, such as `{1,2}`. */
function numbersOf(array: string | null | undefined): number[] {
  return array ? array.slice(1, -1).split(',').map(Number) : [];
}
