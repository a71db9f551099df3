import { CalendarDays, Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLifecycleActions } from '../../api/model-lifecycle.ts';
import type { ListedEntry } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { DateDialog } from './date-dialog.tsx';

/** Sets the project's own date of an entry, or deletes it. */
export function EntryMenu({ entry }: { entry: ListedEntry }): ReactNode {
  const { model, override } = entry;
  const [asked, setAsked] = useState<'date' | 'delete' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={`Actions for ${visibleText(model)}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked('date')}>
          <CalendarDays aria-hidden />
          {override ? 'Change own date' : 'Set own date'}
        </MenuItem>
        {override && (
          <MenuItem danger onSelect={() => setAsked('delete')}>
            <Trash2 aria-hidden />
            Delete own date
          </MenuItem>
        )}
      </Menu>
      {asked === 'date' && <DateDialog entry={entry} onClose={close} />}
      {asked === 'delete' && <DeleteDate model={model} onClose={close} />}
    </>
  );
}

function DeleteDate({ model, onClose }: { model: string; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { deleteDate } = useLifecycleActions(projectId);
  const say = useToast();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete own date?"
      description={
        <>
          For <Visible text={model} className="font-medium text-ink" />, the date of the shipped catalogue counts again from the
          next scan on, if there is one.
        </>
      }
      action="Delete"
      busy={deleteDate.isPending}
      error={deleteDate.error?.message ?? null}
      onConfirm={() =>
        deleteDate.mutate(model, {
          onSuccess: () => {
            onClose();
            say('Own date deleted');
          },
        })
      }
    />
  );
}
