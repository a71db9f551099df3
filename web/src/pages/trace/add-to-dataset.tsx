import { Database } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TraceDetail } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { useProject } from '../../frame/project-context.ts';

const AddToDatasetDialog = deferred(() => import('./add-to-dataset-dialog.tsx'));

/** Adds the trace or the selected span to a dataset. Hidden without permission. */
export function AddToDataset({ detail, selected }: { detail: TraceDetail; selected: string | null }): ReactNode {
  const { can } = useProject();
  const [open, setOpen] = useState(false);
  if (!can('datasets:manage')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Database aria-hidden />
        Add to dataset
      </Button>
      {open && (
        <AddToDatasetDialog
          detail={detail}
          span={detail.spans.find(({ spanId }) => spanId === selected) ?? null}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
