import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import type { TraceNotes } from '../settle/trace-notes.ts';
import type { BatchBuilder, BuiltBatch } from './batch-builder.ts';

export interface BatchWriterOptions {
  clickhouse: ClickHouse;
  builder: BatchBuilder;
  /** Where replicas note what they touch; null where no other process writes to the stores. */
  notes?: Pick<TraceNotes, 'begin' | 'add'> | null;
  /** Marks hours whose figures change; called before and after the rows are written. */
  markHours(hours: readonly TouchedHour[]): Promise<void>;
}

/** Batches of a segment, in order. */
export interface SegmentBatch {
  records: readonly Uint8Array[];
  /** Names the batch for good: a cluster takes each of its inserts once. */
  token: string;
}

/** Hours by project and start. */
export type OwedHours = Map<string, TouchedHour>;

/**
 * Brings the batches of a segment into ClickHouse. May be repeated after a crash at any point; of each batch:
 *
 * 1. the hours whose figures will change are marked, so that reads take their rows instead of the sealed rollups;
 * 2. the derived rows (calls, quality, traces) are written, worked out against what is stored;
 * 3. the spans and scores themselves are written. Only after this would a repetition see them as stored, and by then what is derived
 *    of them is there;
 * 4. the hours are marked again, since the sealing job may have looked between 1 and 3;
 * 5. among several replicas the traces are noted: of those that another one touched meanwhile neither saw all.
 *
 * While one batch is written the next is built, unless something of the segment may have been written before or others write to the engine (then what
 * is stored is looked at anew for each), or the batch has scores (they are looked up by their own ids, wherever they stand).
 *
 * An attempt that fails between 3 and 4 leaves nothing that the next one would find changed, so its hours are handed on in `owed`.
 *
 * @param fresh whether nothing of the segment can have been written, or deleted, before
 * @param owed hours that attempts before have marked once alone; empty when all is written
 * @param proceed asked before each batch
 * @param onUnreadable given the records of a batch that could not be read
 * @returns whether `proceed` let all of them be written
 */
export async function writeBatches<Batch extends SegmentBatch>(
  options: BatchWriterOptions,
  batches: readonly Batch[],
  fresh: boolean,
  owed: OwedHours,
  proceed: () => boolean,
  onUnreadable: (batch: Batch, unreadable: BuiltBatch['unreadable']) => Promise<void>,
): Promise<boolean> {
  const { clickhouse, builder, notes = null } = options;
  const build = async (batch: Batch | undefined, unwritten: number) => {
    if (!batch || !proceed()) return null;
    const begun = (await notes?.begin(fresh)) ?? null;
    const terms = { token: batch.token, fresh, unwritten, leastVersion: begun?.version ?? 0 };
    return { batch, begun, built: await builder.build(batch.records, terms) };
  };
  let next = build(batches[0], 0);
  try {
    for (let index = 1; ; index++) {
      const current = await next;
      if (!current) return index > batches.length;
      const { batch, begun, built } = current;
      const ahead = fresh && clickhouse.mode === 'embedded' && !built.rows.some(({ table }) => table === 'scores');
      if (ahead) next = build(batches[index], 1);
      // Looked at when its turn comes; until then its failure is nobody's.
      next.catch(() => undefined);
      await insert(options, built, owed);
      if (begun) await notes?.add(built.touched, begun.beganAt);
      await onUnreadable(batch, built.unreadable);
      if (!ahead) next = build(batches[index], 0);
    }
  } catch (error) {
    await next.catch(() => undefined);
    // A builder that cannot be told knows of no batch either.
    await builder.givenUp().catch(() => undefined);
    throw error;
  }
}

async function insert({ clickhouse, builder, markHours }: BatchWriterOptions, built: BuiltBatch, owed: OwedHours): Promise<void> {
  const { hours, derived, rows } = built;
  for (const hour of hours) owed.set(`${hour.projectId} ${hour.hour}`, hour);
  if (owed.size > 0) await markHours([...owed.values()]);
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
  if (owed.size > 0) await markHours([...owed.values()]);
  owed.clear();
  reachFailpoint('hours-marked-again');
}
