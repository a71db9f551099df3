import type { ChangeRecord, ListChangesQuery } from '../../contract/changes.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import { timeRangeOf } from '../../contract/time-range.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import { recordOf } from './change-record.ts';
import type { ChangesContext } from './changes-context.ts';
import type { Database } from '../../platform/postgres/index.ts';

const newestFirst = byCreation('desc', { createdAt: 'at' });

type Reading = Pick<ChangesContext, 'db' | 'clock'>;

/** Changes with their idempotency key, which those of the audit log do not have. */
function selectChanges(db: Database) {
  return db
    .selectFrom('project_changes')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('changes')
        .whereRef('changes.id', '=', 'project_changes.id')
        .select('changes.idempotency_key')
        .as('idempotency_key'),
    );
}

/** The changes of a project in a time range, newest first (docs/semantics.md, "Changes"). Without `to` later ones are included. */
export async function listChanges(
  { db, clock }: Reading,
  projectId: string,
  query: ListChangesQuery,
): Promise<{ changes: ChangeRecord[]; nextCursor: string | null }> {
  const { fromMs, beforeMs } = timeRangeOf(query, clock.now());
  let select = selectChanges(db).where('project_id', '=', projectId).where('at', '>=', new Date(fromMs));
  if (beforeMs !== null) select = select.where('at', '<', new Date(beforeMs));
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind);
  if (query.environment !== undefined) select = select.where('environment', '=', query.environment);
  if (query.service !== undefined) select = select.where('service', '=', query.service);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  return { changes: rows.map(recordOf), nextCursor };
}

/** The changes of a project between two times (epoch milliseconds, inclusive), newest first. */
export async function changesBetween(
  { db }: Pick<Reading, 'db'>,
  projectId: string,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<ChangeRecord[]> {
  const rows = await selectChanges(db)
    .where('project_id', '=', projectId)
    .where('at', '>=', new Date(fromMs))
    .where('at', '<=', new Date(toMs))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

/** Errors: `not_found`. */
export async function getChange({ db }: Pick<Reading, 'db'>, projectId: string, changeId: string): Promise<ChangeRecord> {
  const row = await selectChanges(db)
    .where('project_id', '=', projectId)
    .where('id', '=', uuidOrNull(changeId))
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'There is no such change in this project; list them to see which there are.');
  return recordOf(row);
}
