import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ViewRecord, ViewSubject } from '../../contract/views.ts';
import { findView } from './find-view.ts';
import type { ViewRow } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';

/** The query of a list, with the filter of its saved view in the place of the view's id: what `readListFilter` reads. */
export type WithView<Query> = Omit<Query, 'view'> & { viewFilter?: string };

/** A view that a request names by its `view`. Errors: `not_found`, with the path `/view`, for one that the actor cannot read. */
export function requireView(
  { db }: Pick<ViewsContext, 'db'>,
  acting: Pick<Acting, 'projectId' | 'actor'>,
  viewId: string,
): Promise<ViewRow> {
  return findView(db, acting, viewId, [{ path: '/view', message: 'is not the id of a view that you can read' }]);
}

/**
 * The filter and the range of a view, for a list or a selection of its records.
 *
 * @param on what the list is of
 * Errors: `not_found` for a view that the actor cannot read; `invalid_request` for one of another list. Both with the path `/view`.
 */
export async function viewOf(
  { db }: Pick<ViewsContext, 'db'>,
  acting: Pick<Acting, 'projectId' | 'actor'>,
  viewId: string,
  on: ViewSubject,
): Promise<Pick<ViewRecord, 'filter' | 'range'>> {
  const row = await requireView({ db }, acting, viewId);
  if (row.subject === on) return { filter: row.filter, range: row.range };
  throw new ServiceError('invalid_request', `Name a view of ${on}; this one is of ${row.subject}.`, {
    details: [{ path: '/view', message: `is a view of ${row.subject}` }],
  });
}

/**
 * Looks up the saved view of a list's query. Errors: as of {@link viewOf}.
 *
 * @param on what the list is of
 */
export async function withView<Query extends { view?: string | undefined }>(
  context: Pick<ViewsContext, 'db'>,
  acting: Pick<Acting, 'projectId' | 'actor'>,
  { view, ...query }: Query,
  on: ViewSubject,
): Promise<WithView<Query>> {
  if (view === undefined) return query;
  const { filter } = await viewOf(context, acting, view, on);
  return { ...query, viewFilter: filter };
}
