import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock/clock.ts';

/** A deletion that has begun. Rows of the trace with `version` or above are newer and stay. */
export interface BegunDeletion {
  projectId: string;
  traceId: string;
  version: number;
  /** Epoch milliseconds. */
  begunMs: number;
}

interface DeletionTables {
  trace_deletions: { project_id: string; trace_id: string; version: number; begun_at: Date };
}

/** Trace deletions that have begun and not ended (table `trace_deletions`). */
export class DeletionStore {
  readonly #db: Kysely<DeletionTables>;
  readonly #clock: Clock;

  constructor(db: Kysely<unknown>, clock: Clock) {
    this.#db = db as unknown as Kysely<DeletionTables>;
    this.#clock = clock;
  }

  /** Records a deletion before its first step. A deletion that is recorded already keeps its start time and its highest version. */
  async begin(projectId: string, traceId: string, version: number): Promise<void> {
    await this.#db
      .insertInto('trace_deletions')
      .values({ project_id: projectId, trace_id: traceId, version, begun_at: new Date(this.#clock.now()) })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'trace_id'])
          .doUpdateSet({ version: sql`greatest(trace_deletions.version, excluded.version)` }),
      )
      .execute();
  }

  /** Removes a deletion that has ended. */
  async end(projectId: string, traceId: string): Promise<void> {
    await this.#db.deleteFrom('trace_deletions').where('project_id', '=', projectId).where('trace_id', '=', traceId).execute();
  }

  /** The recorded deletions, oldest first. */
  async begun(): Promise<BegunDeletion[]> {
    const rows = await this.#db.selectFrom('trace_deletions').selectAll().orderBy('begun_at').execute();
    return rows.map((row) => ({
      projectId: row.project_id,
      traceId: row.trace_id,
      version: Number(row.version),
      begunMs: row.begun_at.getTime(),
    }));
  }
}
