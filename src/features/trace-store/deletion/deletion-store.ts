import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';

/** A deleted trace whose payloads are still on disk. Rows of the trace with `version` (microseconds) or above are newer and stay. */
export interface HiddenTrace {
  projectId: string;
  traceId: string;
  version: number;
}

/** A deletion that has begun: some reads may still include the trace. */
export interface BegunDeletion extends HiddenTrace {
  /** Epoch milliseconds. */
  begunMs: number;
}

interface DeletionTables {
  trace_deletions: { project_id: string; trace_id: string; version: number; begun_at: Date; hidden_at: Date | null };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends DeletionTables {}
}

/** Trace deletions that have begun and not ended (table `trace_deletions`, ADR 0009). */
export class DeletionStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Records the deletion of traces before its first step. A deletion that is recorded already keeps its start time and its highest version.
   *
   * @param record called last in the transaction
   */
  async begin(
    projectId: string,
    traceIds: readonly string[],
    version: number,
    record: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await this.#insert(transaction, projectId, traceIds, version);
      await record(transaction);
    });
  }

  async #insert(db: Database, projectId: string, traceIds: readonly string[], version: number): Promise<void> {
    const begun = { project_id: projectId, version, begun_at: new Date(this.#clock.now()), hidden_at: null };
    await db
      .insertInto('trace_deletions')
      .values(traceIds.map((traceId) => ({ ...begun, trace_id: traceId })))
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'trace_id'])
          .doUpdateSet({ version: sql`greatest(trace_deletions.version, excluded.version)`, hidden_at: null }),
      )
      .execute();
  }

  /** Records that no read includes the traces any more. What is left is to delete their payloads. */
  async hide(projectId: string, traceIds: readonly string[]): Promise<void> {
    await this.#db
      .updateTable('trace_deletions')
      .set({ hidden_at: new Date(this.#clock.now()) })
      .where('project_id', '=', projectId)
      .where('trace_id', '=', sql<string>`ANY(${[...traceIds]}::text[])`)
      .execute();
  }

  /** Removes deletions that have ended, unless they have begun again meanwhile. */
  async end(traces: readonly HiddenTrace[]): Promise<void> {
    await sql`DELETE FROM trace_deletions AS deletion
      USING unnest(
        ${traces.map(({ projectId }) => projectId)}::uuid[], ${traces.map(({ traceId }) => traceId)}::text[],
        ${traces.map(({ version }) => version)}::bigint[]
      ) AS ended (project_id, trace_id, version)
      WHERE deletion.project_id = ended.project_id AND deletion.trace_id = ended.trace_id AND deletion.version = ended.version
        AND deletion.hidden_at IS NOT NULL`.execute(this.#db);
  }

  /** The deletions to be repeated from their beginning, oldest first. */
  async begun(): Promise<BegunDeletion[]> {
    const rows = await this.#db
      .selectFrom('trace_deletions')
      .selectAll()
      .where('hidden_at', 'is', null)
      .orderBy('begun_at')
      .execute();
    return rows.map((row) => ({ ...traceOf(row), begunMs: row.begun_at.getTime() }));
  }

  /** Deleted traces whose payloads are still on disk, oldest first. */
  async hidden(limit: number): Promise<HiddenTrace[]> {
    const rows = await this.#db
      .selectFrom('trace_deletions')
      .selectAll()
      .where('hidden_at', 'is not', null)
      .orderBy('hidden_at')
      .limit(limit)
      .execute();
    return rows.map(traceOf);
  }
}

function traceOf(row: DeletionTables['trace_deletions']): HiddenTrace {
  return { projectId: row.project_id, traceId: row.trace_id, version: row.version };
}
