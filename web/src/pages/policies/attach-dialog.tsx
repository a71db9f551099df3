import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import type { PolicyRecord } from '../../api/policies.ts';
import { useAttachPolicy } from '../../api/policy-ownership.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

/** The paths of the fields in which a policy differs from its file, if an attach was refused for them. */
function differingFields(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.code !== 'differs_from_file') return null;
  return (error.body['fields'] as Array<{ path: string }>).map(({ path }) => path);
}

/** Asks before a detached guardrail or environment goes back to code. */
export function AttachDialog({ policy, onClose }: { policy: PolicyRecord; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const attach = useAttachPolicy(projectId);
  const say = useToast();
  const differing = differingFields(attach.error);
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Attach ${policy.kind.toLowerCase()} to code?`}
      description={
        differing !== null ? (
          <>
            It differs from its file in <Visible text={differing.join(', ')} className="font-mono text-xs" />. Attached anyway, it
            stays as it is and counts as drift until the next apply.
          </>
        ) : (
          <>
            <Visible text={policy.name} className="font-medium" /> becomes read-only in the dashboard. The next apply overwrites
            edits that are not in the files, or removes it if no file names it.
          </>
        )
      }
      action={differing === null ? 'Attach' : 'Attach anyway'}
      busy={attach.isPending}
      error={differing === null ? (attach.error?.message ?? null) : null}
      onConfirm={() =>
        attach.mutate(
          { policyId: policy.id, force: differing !== null },
          {
            onSuccess: () => {
              onClose();
              say('Attached. Code manages it again.');
            },
          },
        )
      }
    />
  );
}
