import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDeleteTrace } from '../../api/traces.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Deletes the trace. Hidden without permission. */
export function DeleteTrace({ traceId }: { traceId: string }): ReactNode {
  const { at, projectId, can } = useProject();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteTrace(projectId);
  const navigate = useNavigate();
  const say = useToast();
  if (!can('traces:delete')) return null;
  return (
    <>
      <IconButton label="Delete trace" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete trace?"
        description="Spans and scores are removed from all metrics. This can't be undone."
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(traceId, {
            onSuccess: () => {
              say('Trace deleted');
              void navigate(pages.traces(at));
            },
          })
        }
      />
    </>
  );
}
