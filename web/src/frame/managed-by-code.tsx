import { FileCode } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDetachPolicy } from '../api/policy-ownership.ts';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { useToast } from '../design/toast.tsx';
import { Visible } from '../design/visible.tsx';
import { useProject } from './project-context.ts';

/** Marks a record that policy files manage. @param short for a column that says "managed by" */
export function CodeBadge({ short = false }: { short?: boolean }): ReactNode {
  return (
    <Badge tone="accent" title="Managed by policy files. Change the files, or detach it to edit it here.">
      {short ? 'code' : 'managed by code'}
    </Badge>
  );
}

interface ManagedRecord {
  id: string;
  /** A guardrail's slug or an environment's name. */
  name: string;
  kind: 'guardrail' | 'environment';
}

/** Explains why a record cannot be edited, and offers to detach it. */
export function CodeNotice({ record }: { record: ManagedRecord }): ReactNode {
  const { can } = useProject();
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-accent-soft px-3 py-2">
      <FileCode className="size-4 shrink-0 text-accent" aria-hidden />
      <p className="min-w-0 flex-1 basis-64">
        Managed by code: policy files define this {record.kind}. Change the files and apply them
        {can('policy:apply') ? ', or detach it to edit it here.' : '.'}
      </p>
      {can('policy:apply') && <Button onClick={() => setAsking(true)}>Detach</Button>}
      <DetachDialog record={record} open={asking} onClose={() => setAsking(false)} />
    </div>
  );
}

/** Asks before a record is detached from the files that manage it. */
export function DetachDialog({
  record: { id, name, kind },
  open,
  onClose,
}: {
  record: ManagedRecord;
  open: boolean;
  onClose(): void;
}): ReactNode {
  const { projectId } = useProject();
  const detach = useDetachPolicy(projectId);
  const say = useToast();
  return (
    <Confirm
      open={open}
      onOpenChange={onClose}
      title={`Detach ${kind} from code?`}
      description={
        <>
          <Visible text={name} className="font-medium" /> can then be edited here. Applying policy files that name it is refused
          until it is attached again on the Policies page.
        </>
      }
      action="Detach"
      busy={detach.isPending}
      error={detach.error?.message ?? null}
      onConfirm={() =>
        detach.mutate(id, {
          onSuccess: () => {
            onClose();
            say('Detached. You can edit it now.');
          },
        })
      }
    />
  );
}
