import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import type { TraceNotes } from '../reconciliation/trace-notes.ts';
import type { BatchBuilder, BuiltBatch } from './batch-builder.ts';

export interface BatchWriterOptions {
  clickhouse: ClickHouse;
  builder: BatchBuilder;
  /** Where replicas record the traces that they write; null where no other process writes to the stores. */
  notes?: Pick<TraceNotes, 'begin' | 'add' | 'addDeletion'> | null;
  /** Marks hours whose figures change; called before and after the rows are written. */
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Batches of a segment, in order. */
export interface SegmentBatch {
  records: readonly Uint8Array[];
  /** Identifies the batch in deduplication tokens, also after a restart: a cluster applies each of its inserts once. */
  token: string;
}

/** Hours that must be marked again, by project and start. */
export type HoursToMark = Map<string, TouchedHour>;

export interface WriteOptions extends BatchWriterOptions {
  /** Whether it is certain that nothing of the segment was written or deleted before. */
  fresh: boolean;
  /** Hours that earlier attempts marked only once; empty when everything is written. */
  hoursToMark: HoursToMark;
  /** Called before each batch; false ends the writing. */
  proceed(): boolean;
  /** Projects whose span headers the batches return. */
  spansOfProjects: readonly string[];
  /** Called after each batch. */
  onWritten(batch: SegmentBatch, built: Pick<BuiltBatch, 'unreadable' | 'spans'>): Promise<void>;
}

/**
 * Writes the batches of a segment to ClickHouse. May be repeated after a crash at any point. For each batch:
 *
 * 1. The hours whose figures will change are marked, so that reads use their rows instead of the sealed rollups.
 * 2. The derived rows (calls, quality, traces) are written, computed from the stored traces and the batch.
 * 3. The spans and scores are written. They come last: a repetition that finds them stored derives no changes, so the derived rows must be
 *    stored before them.
 * 4. The hours are marked again, since the sealing job may have read them between 1 and 3.
 * 5. With several replicas, the traces are noted: another replica may have written the same traces at the same time.
 *
 * The next batch is built while one is being written, unless a part of the segment may have been written before, other processes write to
 * ClickHouse (each batch then needs a new look-up), or the batch has scores (they are looked up by their own ids).
 *
 * After a failure between 3 and 4 the next attempt finds no changed rows, so the hours still to be marked stay in `hoursToMark`.
 *
 * @returns whether all batches were written
 */
export async function writeBatches(batches: readonly SegmentBatch[], options: WriteOptions): Promise<boolean> {
  const { clickhouse, builder, notes = null, fresh, proceed, spansOfProjects, onWritten } = options;
  const build = async (batch: SegmentBatch | undefined, unwritten: number) => {
    if (!batch || !proceed()) return null;
    const begun = (await notes?.begin(fresh)) ?? null;
    const { token, records } = batch;
    const built = await builder.build(records, { token, fresh, unwritten, minVersion: begun?.version ?? 0, spansOfProjects });
    return { batch, begun, built };
  };
  let next = build(batches[0], 0);
  try {
    for (let index = 1; ; index++) {
      const current = await next;
      if (!current) return index > batches.length;
      const { batch, begun, built } = current;
      const ahead = fresh && clickhouse.mode === 'embedded' && !built.rows.some(({ table }) => table === 'scores');
      if (ahead) next = build(batches[index], 1);
      // Awaited in the next iteration; avoids an unhandled rejection.
      next.catch(() => undefined);
      await insert(options, built);
      if (begun) await notes?.add(built.touched, begun.beganAt);
      await onWritten(batch, built);
      if (!ahead) next = build(batches[index], 0);
    }
  } catch (error) {
    await next.catch(() => undefined);
    // This fails only when the builder has ended, and its state is gone then.
    await builder.givenUp().catch(() => undefined);
    throw error;
  }
}

async function insert({ clickhouse, builder, markHours, hoursToMark }: WriteOptions, built: BuiltBatch): Promise<void> {
  const { hours, derived, rows } = built;
  for (const hour of hours) hoursToMark.set(`${hour.projectId} ${hour.hour}`, hour);
  if (hoursToMark.size > 0) await markHours([...hoursToMark.values()]);
  reachFailpoint('hours-marked');
  for (const part of derived) {
    await clickhouse.insertRows(part);
    reachFailpoint('rows-derived');
  }
  for (const part of rows) {
    await clickhouse.insertRows(part);
    reachFailpoint('rows-written');
  }
  await builder.written();
  if (hoursToMark.size > 0) await markHours([...hoursToMark.values()]);
  hoursToMark.clear();
  reachFailpoint('hours-marked-again');
}
