import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDeleteRun } from '../../api/dataset-runs.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

interface DeleteRunProps {
  datasetId: string;
  run: { id: string; name: string };
  onDeleted(): void;
}

/** Deletes a run. Hidden without permission. */
export function DeleteRun({ datasetId, run, onDeleted }: DeleteRunProps): ReactNode {
  const { projectId, can } = useProject();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteRun(projectId, datasetId);
  const say = useToast();
  if (!can('datasets:manage')) return null;
  return (
    <>
      <IconButton label="Delete run" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete run?"
        description={
          <>
            Deletes <Visible text={run.name} className="font-medium" /> with its outputs and scores. Dataset items are kept. This
            can't be undone.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(run.id, {
            onSuccess: () => {
              say('Run deleted');
              onDeleted();
            },
          })
        }
      />
    </>
  );
}
