import type { Acting, Actor } from '../../contract/actor.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ErrorDetail } from '../../contract/errors.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { ViewRow } from './view-record.ts';

/** The views of a project that an actor may read: the project's, and of a user their private ones. */
export function readableViews(db: Database, { projectId, actor }: Pick<Acting, 'projectId' | 'actor'>) {
  const owner = ownerOf(actor);
  return db
    .selectFrom('views')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(({ or, eb }) => or([eb('visibility', '=', 'project'), ...(owner === null ? [] : [eb('owner_id', '=', owner)])]));
}

/** The id of a user; null for an actor that has no views of its own. */
function ownerOf(actor: Actor): string | null {
  return actor.type === 'user' ? actor.id : null;
}

/** Whether an actor made a view. */
export function isOwner(actor: Actor, { owner_id: owner }: Pick<ViewRow, 'owner_id'>): boolean {
  return ownerOf(actor) === owner;
}

/**
 * A view by its id.
 *
 * @param details of the error
 * Errors: `not_found` for one that the actor cannot read.
 */
export async function findView(
  db: Database,
  acting: Pick<Acting, 'projectId' | 'actor'>,
  viewId: string,
  details?: readonly ErrorDetail[],
): Promise<ViewRow> {
  const row = await readableViews(db, acting).where('id', '=', uuidOrNull(viewId)).executeTakeFirst();
  if (row) return row;
  const message =
    'There is no such view in this project, or it is private to somebody else; list the views to see which there are.';
  throw new ServiceError('not_found', message, details && { details });
}
