import type { ReactNode } from 'react';
import { blockersOf, useEnvironmentActions } from '../../api/environments.ts';
import type { Environment } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { attachmentsOf } from './attached.ts';
import { AttachmentLink } from './attachment-link.tsx';

/** Deletes an environment. While something names it, lists what does. */
export function DeleteEnvironment({ environment, onClose }: { environment: Environment; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { remove } = useEnvironmentActions(projectId);
  const say = useToast();
  const blockers = blockersOf(remove.error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={blockers ? 'Environment in use' : 'Delete environment?'}
      description={
        blockers ? (
          <>
            <Visible text={environment.name} className="font-medium" /> can&apos;t be deleted while it is used by these. Change or
            delete them first.
          </>
        ) : (
          <>
            Deletes <Visible text={environment.name} className="font-medium" />. Traces and scores that carry the name are kept.
          </>
        )
      }
      footer={
        <>
          <Button onClick={onClose}>{blockers ? 'Close' : 'Cancel'}</Button>
          {!blockers && (
            <Button
              look="danger"
              busy={remove.isPending}
              onClick={() =>
                remove.mutate(environment.id, {
                  onSuccess: () => {
                    onClose();
                    say('Environment deleted');
                  },
                })
              }
            >
              Delete
            </Button>
          )}
        </>
      }
    >
      {blockers ? (
        <ul aria-label="Used by" className="flex list-disc flex-col gap-1 pl-5">
          {attachmentsOf(blockers).map((attachment) => (
            <li key={`${attachment.kind} ${attachment.name}`}>
              <AttachmentLink attachment={attachment} />
            </li>
          ))}
        </ul>
      ) : (
        remove.error && (
          <p role="alert" className="text-bad">
            {remove.error.message}
          </p>
        )
      )}
    </Dialog>
  );
}
