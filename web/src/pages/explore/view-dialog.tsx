import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useViewActions } from '../../api/views.ts';
import type { SavedView } from '../../api/parts.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { ViewState } from './view-state.ts';

export interface ViewDialogProps {
  /** What a new view keeps. */
  state: ViewState | null;
  /** The view that is changed; null for a new one. */
  view: SavedView | null;
  onClose(): void;
  onSaved(view: SavedView): void;
}

type Visibility = SavedView['visibility'];

/** Names a view, and says who sees it. */
export default function ViewDialog({ state, view, onClose, onSaved }: ViewDialogProps): ReactNode {
  const { projectId, can } = useProject();
  const { create, change } = useViewActions(projectId);
  const [name, setName] = useState(view?.name ?? '');
  const [visibility, setVisibility] = useState<Visibility>(view?.visibility ?? 'private');
  const { isPending, error } = view === null ? create : change;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = { name: name.trim(), visibility };
    if (view !== null) change.mutate({ viewId: view.id, ...named }, { onSuccess: onSaved });
    else if (state !== null) create.mutate({ ...state, ...named }, { onSuccess: onSaved });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={view === null ? 'Save view' : 'Name and visibility'}
      description="A view keeps the filter, the columns, the order and the time range."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="view" busy={isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <form id="view" onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          maxLength={100}
          value={name}
          error={error?.message}
          onChange={(event) => setName(event.target.value)}
        />
        {can('views:manage') && (
          <Select<Visibility>
            label="Who sees it"
            value={visibility}
            options={[
              { value: 'private', label: 'Only me' },
              { value: 'project', label: 'Everyone in the project' },
            ]}
            onValue={setVisibility}
          />
        )}
      </form>
    </Dialog>
  );
}
