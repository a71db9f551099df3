import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDatasetActions } from '../../api/datasets.ts';
import type { Dataset } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { DatasetDialog } from './dataset-dialog.tsx';

interface DatasetMenuProps {
  dataset: Dataset;
  size?: 'normal' | 'small';
  onDeleted?(): void;
}

/** Actions of a dataset. Hidden without permission. */
export function DatasetMenu({ dataset, size = 'normal', onDeleted }: DatasetMenuProps): ReactNode {
  const { projectId, can } = useProject();
  const { remove } = useDatasetActions(projectId);
  const [asked, setAsked] = useState<'change' | 'delete' | null>(null);
  const say = useToast();
  if (!can('datasets:manage')) return null;
  const { itemCount } = dataset;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size={size} label={`Actions for ${visibleText(dataset.name)}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked('change')}>
          <Pencil aria-hidden />
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setAsked('delete')}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </Menu>
      {asked === 'change' && <DatasetDialog dataset={dataset} onClose={() => setAsked(null)} />}
      <Confirm
        open={asked === 'delete'}
        onOpenChange={() => setAsked(null)}
        title="Delete dataset?"
        description={
          <>
            Deletes <Visible text={dataset.name} className="font-medium" /> with {countedExactly(itemCount, 'item')} and all runs.
            This can't be undone.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(dataset.id, {
            onSuccess: () => {
              setAsked(null);
              say('Dataset deleted');
              onDeleted?.();
            },
          })
        }
      />
    </>
  );
}
