import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** Traces of one project in a batch. */
export interface TouchedTraces {
  projectId: string;
  traceIds: readonly string[];
}

/** How long notes are kept: longer than a batch takes from its look-up to its end. A batch that fails is repeated and noted again. */
export const keptMs = 5 * 60_000;
/** How long after a deletion the batches of other replicas are reconciled: they may hold versions of its spans that were accepted before it. */
const deletionLastsMs = 60 * 60_000;
/** Maximum notes of one run. */
const maxNotes = 200;

/** Unprocessed notes, and the traces to derive again. */
export interface Overlaps {
  noteIds: number[];
  traces: TouchedTraces[];
}

/**
 * The traces of each replica's batches, and the time from look-up to write (table `trace_notes`, ADR 0008). A batch derives its traces from
 * the rows stored at its look-up, and does not see rows that another replica writes before its own write ends. All times are PostgreSQL's.
 */
export class TraceNotes {
  readonly #db: Database;
  readonly #replica: string;

  /** @param replica a uuid, unique to this writer */
  constructor(db: Database, replica: string) {
    this.#db = db;
    this.#replica = replica;
  }

  /**
   * To be called before the look-up of stored rows.
   *
   * @param fresh false for a batch that may have been written in part before; its note then begins {@link keptMs} earlier
   * @returns the time to pass to {@link add}, and the version of derived rows. The version comes from PostgreSQL's clock, so that of two
   * writers the one with the later look-up wins, independent of their clocks and of the order of acceptance
   */
  async begin(fresh = true): Promise<{ beganAt: string; version: number }> {
    const { rows } = await sql<{ beganAt: string; version: number }>`
      SELECT (now - make_interval(secs => ${fresh ? 0 : keptMs / 1000}))::text AS "beganAt", floor(extract(epoch FROM now) * 1000000)::bigint AS version
      FROM clock_timestamp() AS now`.execute(this.#db);
    if (!rows[0]) throw new Error('PostgreSQL returned no time');
    return rows[0];
  }

  /** Adds the note of a batch that is completely written. */
  async add(touched: readonly TouchedTraces[], beganAt: string): Promise<void> {
    for (const { projectId, traceIds } of touched) {
      if (traceIds.length === 0) continue;
      await sql`INSERT INTO trace_notes (replica, project_id, trace_ids, began_at, ended_at)
        VALUES (${this.#replica}::uuid, ${projectId}::uuid, ${traceIds}::text[], ${beganAt}::timestamptz, clock_timestamp())`.execute(
        this.#db,
      );
    }
  }

  /** Adds the notes of a deletion of traces that is completely written: of its own time, and of the time after it in which others may write spans below its tombstones. */
  async addDeletion(projectId: string, traceIds: readonly string[], beganAt: string): Promise<void> {
    await sql`INSERT INTO trace_notes (replica, project_id, trace_ids, began_at, ended_at)
      SELECT ${this.#replica}::uuid, ${projectId}::uuid, ${[...traceIds]}::text[], note.began_at, note.ended_at
      FROM clock_timestamp() AS now, LATERAL (VALUES
        (${beganAt}::timestamptz, now), (now, now + make_interval(secs => ${deletionLastsMs / 1000}))) AS note (began_at, ended_at)`.execute(
      this.#db,
    );
  }

  /** The oldest unprocessed notes, and the traces in them that another replica wrote at the same time. */
  async overlaps(): Promise<Overlaps> {
    const { rows } = await sql<{ noteIds: number[] | null; projectId: string | null; traceIds: string[] | null }>`
      WITH fresh AS MATERIALIZED (
        SELECT * FROM trace_notes WHERE NOT settled ORDER BY id LIMIT ${maxNotes}
      ), fresh_traces AS (
        SELECT id, replica, project_id, began_at, ended_at, unnest(trace_ids) AS trace_id FROM fresh
      ), known_traces AS (
        SELECT replica, project_id, began_at, ended_at, unnest(trace_ids) AS trace_id FROM trace_notes
        WHERE ended_at >= (SELECT min(began_at) FROM fresh)
      ), overlapping AS (
        SELECT DISTINCT project_id, trace_id FROM fresh_traces AS one JOIN known_traces AS other USING (project_id, trace_id)
        WHERE one.replica <> other.replica AND one.began_at <= other.ended_at AND other.began_at <= one.ended_at
          -- The job itself sees what a deletion has written: it must not repeat itself while the time after the deletion lasts.
          AND NOT (${this.#replica}::uuid IN (one.replica, other.replica) AND greatest(one.ended_at, other.ended_at) > clock_timestamp())
      )
      SELECT (SELECT array_agg(id) FROM fresh) AS "noteIds", NULL::uuid AS "projectId", NULL::text[] AS "traceIds"
      UNION ALL
      SELECT NULL, project_id, array_agg(trace_id ORDER BY trace_id) FROM overlapping GROUP BY project_id`.execute(this.#db);
    return {
      noteIds: rows.flatMap(({ noteIds }) => noteIds ?? []),
      traces: rows.flatMap(({ projectId, traceIds }) => (projectId && traceIds ? [{ projectId, traceIds }] : [])),
    };
  }

  /** Marks notes as processed (column `settled`). They are kept for {@link keptMs}, since later notes may overlap them. */
  async markProcessed(noteIds: readonly number[]): Promise<void> {
    if (noteIds.length > 0)
      await sql`UPDATE trace_notes SET settled = true WHERE id = ANY(${noteIds}::bigint[])`.execute(this.#db);
    await sql`DELETE FROM trace_notes
      WHERE settled AND ended_at < clock_timestamp() - make_interval(secs => ${keptMs / 1000})`.execute(this.#db);
  }
}
