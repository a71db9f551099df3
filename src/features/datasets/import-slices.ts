import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { recordAudit } from '../audit/index.ts';
import { insertItems, refuseTooManyItems } from './add-items.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import type { ItemContents } from './item-rows.ts';

/** What an import needs. */
export type ImportContext = Pick<DatasetsContext, 'db' | 'clock'>;

/** How long an import may take for a slice, in milliseconds. After that its items are deleted. */
const leaseMs = 10 * 60_000;
/** Items deleted by one statement. */
const deletedAtOnce = 2_000;

/** Items of a file that are being stored. */
export interface OpenImport {
  id: string;
  datasetId: string;
  count: number;
  /** Whether a row has an external id. */
  isIdentified: boolean;
  firstPlace: number;
  nextPlace: number;
}

/** An import whose items are stored. */
export type StoredImport = Pick<OpenImport, 'id' | 'datasetId' | 'count' | 'firstPlace'>;

const unmerged = { merging_for: null, merged_place: 0, changed_items: 0, dropped_rows: 0 };

/**
 * Reserves places for an import.
 *
 * @param identified rows with an external id, which may update items instead of adding some
 * Errors: `not_found`; `conflict` when the dataset would be too large.
 */
export function beginImport(
  { db, clock }: ImportContext,
  datasetId: string,
  { count, identified }: { count: number; identified: number },
): Promise<OpenImport> {
  return db.transaction().execute(async (transaction) => {
    const taken = await transaction
      .updateTable('datasets')
      .set((eb) => ({ last_place: eb('last_place', '+', count) }))
      .where('id', '=', datasetId)
      .returning(['last_place', 'item_count'])
      .executeTakeFirst();
    if (!taken) throw noDataset();
    refuseTooManyItems(taken.item_count, count - identified);
    const id = uuidv7();
    const firstPlace = taken.last_place - count + 1;
    const place = { first_place: firstPlace, last_place: taken.last_place };
    await transaction
      .insertInto('dataset_imports')
      .values({ id, dataset_id: datasetId, ...place, lease_until: leaseFrom(clock.now()), abandoned: false, ...unmerged })
      .execute();
    return { id, datasetId, count, isIdentified: identified > 0, firstPlace, nextPlace: firstPlace };
  });
}

/** Stores the next items of an import. Errors: `not_found` when the dataset was deleted; `unavailable` when the import was given up. */
export async function addSlice(context: ImportContext, open: OpenImport, contents: readonly ItemContents[]): Promise<void> {
  const { id, datasetId, nextPlace: firstPlace } = open;
  await context.db.transaction().execute(async (transaction) => {
    // Lock order of all writers: dataset, import, items.
    const dataset = await transaction
      .selectFrom('datasets')
      .select('id')
      .where('id', '=', datasetId)
      .forKeyShare()
      .executeTakeFirst();
    if (!dataset) throw noDataset();
    const kept = await transaction
      .updateTable('dataset_imports')
      .set({ lease_until: leaseFrom(context.clock.now()) })
      .where('id', '=', id)
      .where('abandoned', '=', false)
      .executeTakeFirst();
    if (kept.numUpdatedRows === 0n) throw gone();
    await insertItems(transaction, { datasetId, firstPlace, now: nowOf(context), isShown: false }, contents);
  });
  open.nextPlace += contents.length;
}

/**
 * Shows the items of an import, all at once.
 *
 * @returns how many rows are no items of their own
 * Errors: as {@link addSlice}; `conflict` when the dataset would be too large.
 */
export function endImport(context: ImportContext, acting: Acting, { id, datasetId, count }: StoredImport): Promise<number> {
  return context.db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('datasets')
      .select(['name', 'item_count'])
      .where('id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noDataset();
    const ended = await transaction
      .deleteFrom('dataset_imports')
      .where('id', '=', id)
      .where('abandoned', '=', false)
      .returning(['merging_for', 'changed_items', 'dropped_rows'])
      .executeTakeFirst();
    if (!ended) throw gone();
    const added = count - ended.dropped_rows;
    // One that is merged was checked before it was.
    if (ended.merging_for === null) refuseTooManyItems(before.item_count, added);
    await transaction
      .updateTable('datasets')
      .set((eb) => ({ item_count: eb('item_count', '+', added) }))
      .where('id', '=', datasetId)
      .execute();
    if (ended.changed_items > 0)
      await recordAudit(transaction, context.clock, {
        ...acting,
        kind: 'dataset.item_changed',
        subject: datasetId,
        detail: { datasetId, dataset: before.name, items: ended.changed_items },
      });
    return ended.dropped_rows;
  });
}

/** Deletes what an import has stored, unless it is being merged. It may be repeated. */
export async function abandonImport({ db }: Pick<ImportContext, 'db'>, importId: string): Promise<void> {
  const row = await db
    .updateTable('dataset_imports')
    .set({ abandoned: true })
    .where('id', '=', importId)
    .where('merging_for', 'is', null)
    .returning(['dataset_id', 'first_place', 'last_place'])
    .executeTakeFirst();
  if (!row) return;
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce;) {
    const result = await sql`DELETE FROM dataset_items WHERE id IN (SELECT id FROM dataset_items
      WHERE dataset_id = ${row.dataset_id} AND place BETWEEN ${row.first_place} AND ${row.last_place} LIMIT ${deletedAtOnce})`.execute(
      db,
    );
    deleted = Number(result.numAffectedRows ?? 0);
  }
  await db.deleteFrom('dataset_imports').where('id', '=', importId).execute();
}

/** Until when an import is the process's own. */
export function leaseFrom(nowMs: number): Date {
  return new Date(nowMs + leaseMs);
}

/** The import was given up meanwhile. */
export function gone(): ServiceError {
  return new ServiceError('unavailable', 'The import took too long and was given up; send the file again.', {
    retryAfterSeconds: 5,
  });
}
