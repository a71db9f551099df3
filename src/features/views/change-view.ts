import { isDeepStrictEqual } from 'node:util';
import type { Acting } from '../../contract/actor.ts';
import type { ViewChange, ViewRecord } from '../../contract/views.ts';
import { checkView } from './check-view.ts';
import { findView } from './find-view.ts';
import { requireManage, requireOwnToHide } from './may-change.ts';
import type { ViewEditor } from './may-change.ts';
import { recordViewChange } from './record-view.ts';
import { columnsOf, recordOf, underFreeName } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';
import { refuseFull, writeViews } from './write-views.ts';

/**
 * Changes the given fields of a view. One that becomes the project's, or private, must find its name and a place free there.
 *
 * Errors: `not_found`; `forbidden` without `views:manage` for a view that is or becomes the project's, and for making the view of somebody else private;
 * `invalid_filter`; `invalid_request` for an order that its list does not take; `conflict`.
 */
export async function changeView(
  context: ViewsContext,
  acting: Acting,
  { manages }: Pick<ViewEditor, 'manages'>,
  viewId: string,
  change: ViewChange,
): Promise<ViewRecord> {
  const { clock } = context;
  const editor = { actor: acting.actor, manages };
  return writeViews(context, acting.projectId, async (transaction) => {
    const row = await findView(transaction, acting, viewId);
    const before = recordOf(row);
    const wanted = merged(before, change);
    requireManage(editor, before);
    requireManage(editor, wanted);
    requireOwnToHide(editor, row, wanted);
    // A filter of an earlier release stays as it is.
    if (['on', 'filter', 'sort'].some((key) => key in change)) checkView(wanted, clock.now());
    const keys = Object.keys(change) as Array<keyof ViewChange>;
    const changed = keys.filter((key) => !isDeepStrictEqual(before[key], wanted[key]));
    if (changed.length === 0) return before;
    if (wanted.visibility !== before.visibility) await refuseFull(transaction, { ...row, visibility: wanted.visibility });
    const columns = { ...columnsOf(wanted), updated_at: new Date(clock.now()) };
    await underFreeName(wanted, () => transaction.updateTable('views').set(columns).where('id', '=', row.id).execute());
    const after = recordOf({ ...row, ...columns });
    await recordViewChange(transaction, clock, acting, { before, after, changed });
    return after;
  });
}

function merged(before: ViewRecord, change: ViewChange): ViewRecord {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<ViewRecord>;
  return { ...before, ...given };
}
