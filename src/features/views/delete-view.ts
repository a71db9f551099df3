import type { Acting } from '../../contract/actor.ts';
import { findView } from './find-view.ts';
import { requireManage } from './may-change.ts';
import type { ViewEditor } from './may-change.ts';
import { recordView } from './record-view.ts';
import { recordOf } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';
import { writeViews } from './write-views.ts';

/** Deletes a view. Errors: `not_found`; `forbidden` for a view of the project without `views:manage`. */
export async function deleteView(
  context: ViewsContext,
  acting: Acting,
  { manages }: Pick<ViewEditor, 'manages'>,
  viewId: string,
): Promise<void> {
  await writeViews(context, acting.projectId, async (transaction) => {
    const view = recordOf(await findView(transaction, acting, viewId));
    requireManage({ actor: acting.actor, manages }, view);
    await transaction.deleteFrom('views').where('id', '=', view.id).execute();
    await recordView(transaction, context.clock, acting, 'view.deleted', view);
  });
}
