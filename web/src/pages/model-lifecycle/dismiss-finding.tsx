import type { ReactNode } from 'react';
import { useLifecycleActions } from '../../api/model-lifecycle.ts';
import type { Finding } from '../../api/service.ts';
import { dismissalMeaning, retirementLabel } from '../../content/lifecycle-words.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

/** Asks before a finding is dismissed, and says what that means. */
export function DismissFinding({ finding, onClose }: { finding: Finding; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { dismiss } = useLifecycleActions(projectId);
  const say = useToast();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Dismiss finding?"
      description={
        <>
          <Visible text={finding.model} className="font-medium text-ink" /> {retirementLabel(finding)}.{' '}
          {dismissalMeaning(finding)} This applies to everyone in the project and can&apos;t be undone. The finding stays listed
          under Dismissed.
        </>
      }
      action="Dismiss"
      busy={dismiss.isPending}
      error={dismiss.error?.message ?? null}
      onConfirm={() =>
        dismiss.mutate(finding.id, {
          onSuccess: () => {
            onClose();
            say('Finding dismissed');
          },
        })
      }
    />
  );
}
