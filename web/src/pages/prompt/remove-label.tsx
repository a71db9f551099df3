import type { ReactNode } from 'react';
import { usePromptActions } from '../../api/prompts.ts';
import type { PromptVersion } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { defaultLabel } from './label-move.ts';

/** Confirms and removes a label from the version that has it. */
export function RemoveLabel({ label, version, onClose }: { label: string; version: PromptVersion; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { removeLabel } = usePromptActions(projectId, version.name);
  const say = useToast();
  const shown = visibleText(label);
  const confirm = () =>
    removeLabel.mutate(label, {
      onSuccess: () => {
        say(`Removed ${shown} from version ${version.version}`);
        onClose();
      },
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Remove ${shown} from version ${version.version}?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={removeLabel.isPending} onClick={confirm}>
            Remove
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-soft">
        <li>Requests with the label {shown} fail until a version has it again.</li>
        {label === defaultLabel && <li>Requests without a label get the version with the label latest.</li>}
        <li>The removal is recorded in the audit log.</li>
      </ul>
      {removeLabel.error && (
        <p role="alert" className="mt-2 text-bad">
          {removeLabel.error.message}
        </p>
      )}
    </Dialog>
  );
}
