import { v7 as uuidv7 } from 'uuid';
import type { Acting, UserActor } from '../../contract/actor.ts';
import type { ViewBody, ViewRecord } from '../../contract/views.ts';
import { checkView } from './check-view.ts';
import { requireManage } from './may-change.ts';
import type { ViewEditor } from './may-change.ts';
import { recordView } from './record-view.ts';
import { columnsOf, recordOf, underFreeName } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';
import { refuseFull, writeViews } from './write-views.ts';

/**
 * Saves a view (docs/semantics.md, "Saved views").
 *
 * Errors: `forbidden` for a view of the project without `views:manage`; `invalid_filter`; `invalid_request` for an order that its list does not take; `conflict`
 * where the name is taken or there are 200.
 */
export async function createView(
  context: ViewsContext,
  acting: Acting & { actor: UserActor },
  { manages }: Pick<ViewEditor, 'manages'>,
  body: ViewBody,
): Promise<ViewRecord> {
  const { clock } = context;
  const { projectId, actor } = acting;
  requireManage({ actor, manages }, body);
  checkView(body, clock.now());
  const now = new Date(clock.now());
  const row = {
    id: uuidv7(),
    project_id: projectId,
    ...columnsOf(body),
    owner_id: actor.id,
    created_by: actor.email,
    created_at: now,
    updated_at: now,
  };
  return writeViews(context, projectId, async (transaction) => {
    await refuseFull(transaction, row);
    await underFreeName(body, () => transaction.insertInto('views').values(row).execute());
    const made = recordOf(row);
    await recordView(transaction, clock, acting, 'view.created', made);
    return made;
  });
}
