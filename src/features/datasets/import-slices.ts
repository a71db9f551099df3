import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Transaction } from '../../platform/postgres/index.ts';
import { recordAudit } from '../audit/index.ts';
import { insertItems, refuseTooManyItems } from './add-items.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import type { DatasetsContext } from './datasets-context.ts';
import type { ItemContents } from './item-rows.ts';

type Context = Pick<DatasetsContext, 'db' | 'clock'>;

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

/**
 * Reserves places for an import.
 *
 * @param identified rows with an external id, which may update items instead of adding some
 * Errors: `not_found`; `conflict` when the dataset would be too large.
 */
export function beginImport(
  { db, clock }: Context,
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
      .values({ id, dataset_id: datasetId, ...place, lease_until: leaseFrom(clock.now()), abandoned: false })
      .execute();
    return { id, datasetId, count, isIdentified: identified > 0, firstPlace, nextPlace: firstPlace };
  });
}

/** Stores the next items of an import. Errors: `not_found` when the dataset was deleted; `unavailable` when the import was given up. */
export async function addSlice(context: Context, open: OpenImport, contents: readonly ItemContents[]): Promise<void> {
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
 * Shows the items of an import, all at once. Those whose external id the dataset has update that item instead.
 *
 * @returns how many rows did
 * Errors: as {@link addSlice}; `conflict` when the dataset would be too large.
 */
export function endImport(context: Context, acting: Acting, open: OpenImport): Promise<number> {
  const { id, datasetId, count } = open;
  return context.db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('datasets')
      .select('name')
      .where('id', '=', datasetId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noDataset();
    const merged = open.isIdentified ? await mergeIdentified(transaction, nowOf(context), open) : { changed: 0, dropped: 0 };
    const dataset = await transaction
      .updateTable('datasets')
      .set((eb) => ({ item_count: eb('item_count', '+', count - merged.dropped) }))
      .where('id', '=', datasetId)
      .returning('item_count')
      .executeTakeFirstOrThrow();
    refuseTooManyItems(dataset.item_count - count + merged.dropped, count - merged.dropped);
    const ended = await transaction
      .deleteFrom('dataset_imports')
      .where('id', '=', id)
      .where('abandoned', '=', false)
      .executeTakeFirst();
    if (ended.numDeletedRows === 0n) throw gone();
    if (merged.changed > 0)
      await recordAudit(transaction, context.clock, {
        ...acting,
        kind: 'dataset.item_changed',
        subject: datasetId,
        detail: { datasetId, dataset: before.name, items: merged.changed },
      });
    return merged.dropped;
  });
}

/**
 * Gives the rows of an import their external ids: of rows with the same the last counts, and one that the dataset has already updates that item.
 *
 * @returns items that were changed, and rows that are none of their own
 */
async function mergeIdentified(
  transaction: Transaction,
  now: Date,
  { datasetId, firstPlace, nextPlace }: OpenImport,
): Promise<{ changed: number; dropped: number }> {
  const imported = sql`fresh.dataset_id = ${datasetId} AND fresh.place BETWEEN ${firstPlace} AND ${nextPlace - 1}
    AND fresh.pending_external_id IS NOT NULL`;
  const earlier = await sql`DELETE FROM dataset_items WHERE id IN (SELECT id FROM (SELECT fresh.id,
      row_number() OVER (PARTITION BY fresh.pending_external_id ORDER BY fresh.place DESC) AS newest
    FROM dataset_items AS fresh WHERE ${imported}) AS ranked WHERE newest > 1)`.execute(transaction);
  const changed = await sql`UPDATE dataset_items AS old SET input = fresh.input, expected_output = fresh.expected_output,
      metadata = fresh.metadata, updated_at = ${now}
    FROM dataset_items AS fresh WHERE ${imported} AND old.dataset_id = ${datasetId} AND old.external_id = fresh.pending_external_id
      AND (old.input, old.expected_output, old.metadata) IS DISTINCT FROM (fresh.input, fresh.expected_output, fresh.metadata)`.execute(
    transaction,
  );
  const known = await sql`DELETE FROM dataset_items AS fresh USING dataset_items AS old
    WHERE ${imported} AND old.dataset_id = ${datasetId} AND old.external_id = fresh.pending_external_id`.execute(transaction);
  await sql`UPDATE dataset_items AS fresh SET external_id = pending_external_id, pending_external_id = NULL WHERE ${imported}`.execute(
    transaction,
  );
  const rows = ({ numAffectedRows }: { numAffectedRows?: bigint }) => Number(numAffectedRows ?? 0);
  return { changed: rows(changed), dropped: rows(earlier) + rows(known) };
}

/** Deletes what an import has stored. It may be repeated. */
export async function abandonImport({ db }: Pick<Context, 'db'>, importId: string): Promise<void> {
  const row = await db
    .updateTable('dataset_imports')
    .set({ abandoned: true })
    .where('id', '=', importId)
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

/** Deletes what is left of imports whose process has ended. @returns imports */
export async function abandonImports({ db, clock }: Context): Promise<number> {
  const left = await db
    .selectFrom('dataset_imports')
    .select('id')
    .where((where) => where.or([where('abandoned', '=', true), where('lease_until', '<', new Date(clock.now()))]))
    .execute();
  for (const { id } of left) await abandonImport({ db }, id);
  return left.length;
}

function leaseFrom(nowMs: number): Date {
  return new Date(nowMs + leaseMs);
}

function gone(): ServiceError {
  return new ServiceError('unavailable', 'The import took too long and was given up; send the file again.', {
    retryAfterSeconds: 5,
  });
}
