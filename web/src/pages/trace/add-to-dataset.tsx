import { useQuery } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { spansQuery, tracePayloadsQuery } from '../../api/traces.ts';
import type { WholeOutline } from '../../api/parts.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { useProject } from '../../frame/project-context.ts';

const AddToDatasetDialog = deferred(() => import('./add-to-dataset-dialog.tsx'));

/** Adds the trace or the selected span to a dataset. Hidden without permission. */
export function AddToDataset({ detail, selected }: { detail: WholeOutline; selected: string | null }): ReactNode {
  const { can, projectId } = useProject();
  const [open, setOpen] = useState(false);
  const { traceId } = detail.trace;
  const payloads = useQuery({ ...tracePayloadsQuery(projectId, traceId), enabled: open });
  const spans = useQuery({ ...spansQuery(projectId, traceId, [selected ?? ''], 'dataset'), enabled: open && selected !== null });
  const error = payloads.error ?? spans.error;
  const isLoaded = payloads.isSuccess && (selected === null || spans.isSuccess);
  if (!can('datasets:manage')) return null;
  return (
    <>
      <Button busy={open && error === null && !isLoaded} onClick={() => setOpen(true)}>
        <Database aria-hidden />
        Add to dataset
      </Button>
      {open && error !== null && (
        <span role="alert" className="text-bad">
          {error.message}
        </span>
      )}
      {open && payloads.data && isLoaded && (
        <AddToDatasetDialog
          detail={{ ...detail, trace: { ...detail.trace, ...payloads.data } }}
          span={spans.data?.spans[0] ?? null}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
