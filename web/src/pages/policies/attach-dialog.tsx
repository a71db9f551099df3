import type { ReactNode } from 'react';
import type { PolicyRecord } from '../../api/policies.ts';
import { useAttachPolicy } from '../../api/policy-ownership.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

/** Asks before a detached guardrail or environment goes back to code. */
export function AttachDialog({ policy, onClose }: { policy: PolicyRecord; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const attach = useAttachPolicy(projectId);
  const say = useToast();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Attach ${policy.kind.toLowerCase()} to code?`}
      description={
        <>
          <Visible text={policy.name} className="font-medium" /> becomes read-only in the dashboard. The next apply overwrites
          edits that are not in the files, or removes it if no file names it.
        </>
      }
      action="Attach"
      busy={attach.isPending}
      error={attach.error?.message ?? null}
      onConfirm={() =>
        attach.mutate(policy.id, {
          onSuccess: () => {
            onClose();
            say('Attached. Code manages it again.');
          },
        })
      }
    />
  );
}
