import type { Actor } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ViewRecord } from '../../contract/views.ts';
import { isOwner } from './find-view.ts';
import type { ViewRow } from './view-record.ts';

/** Who changes views. */
export interface ViewEditor {
  actor: Actor;
  /** Whether they hold `views:manage`. */
  manages: boolean;
}

/** Throws `forbidden` for a view of the project and an editor who lacks `views:manage`. A private one is its maker's. */
export function requireManage({ manages }: ViewEditor, { visibility }: Pick<ViewRecord, 'visibility'>): void {
  if (visibility === 'private' || manages) return;
  const message =
    'Your role lacks the permission views:manage, which views of the project need; make a private view, or ask an owner or admin.';
  throw new ServiceError('forbidden', message);
}

/** Throws `forbidden` where somebody would give a view of another person a visibility that it then has for that person alone. */
export function requireOwnToHide(editor: ViewEditor, before: ViewRow, after: Pick<ViewRecord, 'visibility'>): void {
  if (before.visibility === 'private' || after.visibility === 'project' || isOwner(editor.actor, before)) return;
  throw new ServiceError(
    'forbidden',
    'Somebody else made this view: they alone can make it private; delete it, or change it for all.',
  );
}
