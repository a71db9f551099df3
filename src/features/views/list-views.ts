import type { Acting } from '../../contract/actor.ts';
import type { ListViewsQuery, ViewRecord } from '../../contract/views.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import { readableViews } from './find-view.ts';
import { recordOf } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';

const pinnedFirst = new Keyset([
  { name: 'place', type: 'integer' },
  { name: 'name', type: 'text' },
  { name: 'id', type: 'uuid' },
]);

/** The views that an actor may read, pinned ones first, then by name. */
export async function listViews(
  { db }: Pick<ViewsContext, 'db'>,
  acting: Acting,
  { on, ...page }: ListViewsQuery,
): Promise<{ views: ViewRecord[]; nextCursor: string | null }> {
  const readable = readableViews(db, acting);
  const select = on === undefined ? readable : readable.where('subject', '=', on);
  const { rows, nextCursor } = await pinnedFirst.read(select, page);
  return { views: rows.map(recordOf), nextCursor };
}
