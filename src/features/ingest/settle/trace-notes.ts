import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** Traces of one project that a batch touched. */
export interface TouchedTraces {
  projectId: string;
  traceIds: readonly string[];
}

/** How long notes are kept: no batch takes longer from its look-up to its end, or it is tried again, which notes it anew. */
export const keptMs = 5 * 60_000;
/** Most notes of one run. */
const mostNotes = 200;

/** Notes that wait to be looked at, and what follows from them. */
export interface Overlaps {
  noteIds: number[];
  traces: TouchedTraces[];
}

/**
 * Which traces the replicas' batches touched, and from when to when (table `trace_notes`, ADR 0008). A batch works out its traces from what
 * is stored when it looks; what another replica writes from then until it has written its own, it cannot see. All times are the database's.
 */
export class TraceNotes {
  readonly #db: Database;
  readonly #replica: string;

  /** @param replica a uuid that no other writer has */
  constructor(db: Database, replica: string) {
    this.#db = db;
    this.#replica = replica;
  }

  /**
   * To be asked before what is stored is looked up.
   *
   * @param fresh false for a batch that may have been written before, in part: from when on is not known then
   * @returns the time to give to {@link add}, and the version of derived rows: by the database's clock, so that of two writers the one
   * that looked later wins, whatever its own clock says and whenever its spans were accepted
   */
  async begin(fresh = true): Promise<{ beganAt: string; version: number }> {
    const { rows } = await sql<{ beganAt: string; version: number }>`
      SELECT (now - make_interval(secs => ${fresh ? 0 : keptMs / 1000}))::text AS "beganAt", floor(extract(epoch FROM now) * 1000000)::bigint AS version
      FROM clock_timestamp() AS now`.execute(this.#db);
    if (!rows[0]) throw new Error('PostgreSQL did not say what time it is');
    return rows[0];
  }

  /** Notes a batch, once all of it is written. */
  async add(touched: readonly TouchedTraces[], beganAt: string): Promise<void> {
    for (const { projectId, traceIds } of touched) {
      if (traceIds.length === 0) continue;
      await sql`INSERT INTO trace_notes (replica, project_id, trace_ids, began_at, ended_at)
        VALUES (${this.#replica}::uuid, ${projectId}::uuid, ${traceIds}::text[], ${beganAt}::timestamptz, clock_timestamp())`.execute(
        this.#db,
      );
    }
  }

  /** The oldest notes that nobody has looked at, and the traces in them that another replica touched at the same time. */
  async overlaps(): Promise<Overlaps> {
    const { rows } = await sql<{ noteIds: number[] | null; projectId: string | null; traceIds: string[] | null }>`
      WITH fresh AS MATERIALIZED (
        SELECT * FROM trace_notes WHERE NOT settled ORDER BY id LIMIT ${mostNotes}
      ), fresh_traces AS (
        SELECT id, replica, project_id, began_at, ended_at, unnest(trace_ids) AS trace_id FROM fresh
      ), known_traces AS (
        SELECT replica, project_id, began_at, ended_at, unnest(trace_ids) AS trace_id FROM trace_notes
        WHERE ended_at >= (SELECT min(began_at) FROM fresh)
      ), overlapping AS (
        SELECT DISTINCT project_id, trace_id FROM fresh_traces AS one JOIN known_traces AS other USING (project_id, trace_id)
        WHERE one.replica <> other.replica AND one.began_at <= other.ended_at AND other.began_at <= one.ended_at
      )
      SELECT (SELECT array_agg(id) FROM fresh) AS "noteIds", NULL::uuid AS "projectId", NULL::text[] AS "traceIds"
      UNION ALL
      SELECT NULL, project_id, array_agg(trace_id ORDER BY trace_id) FROM overlapping GROUP BY project_id`.execute(this.#db);
    return {
      noteIds: rows.flatMap(({ noteIds }) => noteIds ?? []),
      traces: rows.flatMap(({ projectId, traceIds }) => (projectId && traceIds ? [{ projectId, traceIds }] : [])),
    };
  }

  /** Says that what follows from these notes is done. They are kept for a while, for those that overlap them and come later. */
  async settled(noteIds: readonly number[]): Promise<void> {
    if (noteIds.length > 0)
      await sql`UPDATE trace_notes SET settled = true WHERE id = ANY(${noteIds}::bigint[])`.execute(this.#db);
    await sql`DELETE FROM trace_notes
      WHERE settled AND ended_at < clock_timestamp() - make_interval(secs => ${keptMs / 1000})`.execute(this.#db);
  }
}
