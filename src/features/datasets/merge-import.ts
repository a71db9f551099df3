import { sql } from 'kysely';
import type { Acting } from '../../contract/actor.ts';
import { Pace } from '../../platform/postgres/index.ts';
import type { Transaction } from '../../platform/postgres/index.ts';
import { refuseTooManyItems } from './add-items.ts';
import { noDataset } from './datasets.ts';
import { nowOf } from './datasets-context.ts';
import { abandonImport, endImport, gone, leaseFrom } from './import-slices.ts';
import type { ImportContext, StoredImport } from './import-slices.ts';

/** Rows merged by one transaction, at most. */
const mergedAtOnce = 500;

/**
 * Gives the stored rows of an import their external ids and shows them. Of rows with the same id the last counts, and one that the dataset has already
 * updates that item. It is done in slices, between which the database serves others. Once begun it is not given up: {@link settleImports} finishes it.
 *
 * @returns how many rows are no items of their own
 * Errors: `not_found` when the dataset was deleted; `unavailable` when the import was given up; `conflict` when the dataset would be too large.
 */
export async function mergeImport(context: ImportContext, acting: Acting, open: StoredImport): Promise<number> {
  await context.db.transaction().execute((transaction) => beginMerge(context, transaction, acting, open));
  return finishMerge(context, acting, open);
}

async function finishMerge(context: ImportContext, acting: Acting, open: StoredImport): Promise<number> {
  const pace = new Pace(mergedAtOnce);
  const slice = (rows: number) => context.db.transaction().execute((transaction) => mergeSlice(context, transaction, open, rows));
  while (!(await pace.slice(slice)));
  return endImport(context, acting, open);
}

/** Finishes imports whose process ended while it merged them, and deletes what is left of others. @returns imports */
export async function settleImports(context: ImportContext): Promise<number> {
  const left = await context.db
    .selectFrom('dataset_imports')
    .select(['id', 'dataset_id as datasetId', 'first_place as firstPlace', 'last_place', 'merging_for'])
    .where((where) => where.or([where('abandoned', '=', true), where('lease_until', '<', new Date(context.clock.now()))]))
    .execute();
  for (const { merging_for: acting, last_place: lastPlace, ...open } of left) {
    const count = lastPlace - open.firstPlace + 1;
    if (acting === null) await abandonImport(context, open.id);
    else await finishMerge(context, JSON.parse(acting) as Acting, { ...open, count });
  }
  return left.length;
}

async function beginMerge(
  context: ImportContext,
  transaction: Transaction,
  acting: Acting,
  { id, datasetId }: StoredImport,
): Promise<void> {
  const dataset = await lockedDataset(transaction, datasetId);
  const begun = await transaction
    .updateTable('dataset_imports')
    .set({ merging_for: JSON.stringify(acting), lease_until: leaseFrom(context.clock.now()) })
    .where('id', '=', id)
    .where('abandoned', '=', false)
    .returning(['first_place', 'last_place'])
    .executeTakeFirst();
  if (!begun) throw gone();
  const { rows } = await sql<{ added: number }>`SELECT (count(DISTINCT pending_external_id)
      FILTER (WHERE NOT EXISTS (SELECT 1 FROM dataset_items AS old WHERE old.dataset_id = fresh.dataset_id AND old.external_id = fresh.pending_external_id))
      + count(*) FILTER (WHERE pending_external_id IS NULL))::int AS added
    FROM dataset_items AS fresh WHERE dataset_id = ${datasetId} AND place BETWEEN ${begun.first_place} AND ${begun.last_place}`.execute(
    transaction,
  );
  refuseTooManyItems(dataset.item_count, rows[0]?.added ?? 0);
}

/** Merges the next rows. @returns whether they were the last */
async function mergeSlice(
  context: ImportContext,
  transaction: Transaction,
  { id, datasetId, count, firstPlace }: StoredImport,
  rows: number,
): Promise<boolean> {
  // No item gets another external id meanwhile.
  await lockedDataset(transaction, datasetId);
  const merging = await transaction
    .selectFrom('dataset_imports')
    .select('merged_place')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!merging) throw gone();
  const lastPlace = firstPlace + count - 1;
  const first = Math.max(merging.merged_place + 1, firstPlace);
  const last = Math.min(first + rows - 1, lastPlace);
  const { changed, dropped } = await mergePlaces(transaction, nowOf(context), { datasetId, firstPlace, first, last });
  await transaction
    .updateTable('dataset_imports')
    .set((eb) => ({
      merged_place: last,
      changed_items: eb('changed_items', '+', changed),
      dropped_rows: eb('dropped_rows', '+', dropped),
      lease_until: leaseFrom(context.clock.now()),
    }))
    .where('id', '=', id)
    .execute();
  return last === lastPlace;
}

async function lockedDataset(transaction: Transaction, datasetId: string): Promise<{ item_count: number }> {
  const dataset = await transaction
    .selectFrom('datasets')
    .select('item_count')
    .where('id', '=', datasetId)
    .forUpdate()
    .executeTakeFirst();
  if (!dataset) throw noDataset();
  return dataset;
}

/** @param places `firstPlace` of the import; `first` to `last` are merged, those before are */
async function mergePlaces(
  transaction: Transaction,
  now: Date,
  { datasetId, firstPlace, first, last }: { datasetId: string; firstPlace: number; first: number; last: number },
): Promise<{ changed: number; dropped: number }> {
  const imported = sql`fresh.dataset_id = ${datasetId} AND fresh.place BETWEEN ${first} AND ${last} AND fresh.pending_external_id IS NOT NULL`;
  const same = sql`old.dataset_id = ${datasetId} AND old.external_id = fresh.pending_external_id`;
  const earlierOfSlice = await sql`DELETE FROM dataset_items WHERE id IN (SELECT id FROM (SELECT fresh.id,
      row_number() OVER (PARTITION BY fresh.pending_external_id ORDER BY fresh.place DESC) AS newest
    FROM dataset_items AS fresh WHERE ${imported}) AS ranked WHERE newest > 1)`.execute(transaction);
  const earlierOfImport = await sql`DELETE FROM dataset_items AS old USING dataset_items AS fresh
    WHERE ${imported} AND ${same} AND old.place >= ${firstPlace} AND old.place < ${first}`.execute(transaction);
  const changed = await sql`UPDATE dataset_items AS old SET input = fresh.input, expected_output = fresh.expected_output,
      metadata = fresh.metadata, updated_at = ${now}
    FROM dataset_items AS fresh WHERE ${imported} AND ${same}
      AND (old.input, old.expected_output, old.metadata) IS DISTINCT FROM (fresh.input, fresh.expected_output, fresh.metadata)`.execute(
    transaction,
  );
  const known = await sql`DELETE FROM dataset_items AS fresh USING dataset_items AS old WHERE ${imported} AND ${same}`.execute(
    transaction,
  );
  await sql`UPDATE dataset_items AS fresh SET external_id = pending_external_id, pending_external_id = NULL
    WHERE ${imported}`.execute(transaction);
  const rows = ({ numAffectedRows }: { numAffectedRows?: bigint }) => Number(numAffectedRows ?? 0);
  return { changed: rows(changed), dropped: rows(earlierOfSlice) + rows(earlierOfImport) + rows(known) };
}
