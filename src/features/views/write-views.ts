import { sql } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { maxViews } from '../../contract/views.ts';
import type { Transaction } from '../../platform/postgres/index.ts';
import type { ViewRow } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';

/** Runs a change of a project's views in a transaction. Changes of one project are serialized, so that two at a time cannot exceed a limit. */
export function writeViews<T>(
  { db }: Pick<ViewsContext, 'db'>,
  projectId: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`views ${projectId}`}, 0))`.execute(transaction);
    return work(transaction);
  });
}

/** Throws `conflict` where no further view has room beside the project's, or among a person's private ones. */
export async function refuseFull(
  transaction: Transaction,
  { project_id: projectId, visibility, owner_id: owner }: Pick<ViewRow, 'project_id' | 'visibility' | 'owner_id'>,
): Promise<void> {
  const beside = transaction.selectFrom('views').where('project_id', '=', projectId).where('visibility', '=', visibility);
  const { count } = await (visibility === 'project' ? beside : beside.where('owner_id', '=', owner))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) < maxViews) return;
  const who = visibility === 'project' ? 'A project' : 'A person';
  const which = visibility === 'project' ? 'views' : 'private views in a project';
  throw new ServiceError('conflict', `${who} has at most ${maxViews} ${which}; delete one that is not needed any more.`);
}
