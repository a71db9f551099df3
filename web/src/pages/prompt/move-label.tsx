import type { ReactNode } from 'react';
import { usePromptActions } from '../../api/prompts.ts';
import type { PromptVersion } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { consequences } from './label-move.ts';
import { useVersion } from '../../api/prompt-versions.ts';
import type { Versions } from '../../api/prompt-versions.ts';

interface MoveLabelProps {
  label: string;
  /** The target version. */
  version: PromptVersion;
  versions: Versions;
  onClose(): void;
}

/** Confirms and moves a label. */
export function MoveLabel({ label, version, versions, onClose }: MoveLabelProps): ReactNode {
  const { projectId } = useProject();
  const { moveLabel } = usePromptActions(projectId, version.name);
  // The current version may not be loaded yet.
  const current = useVersion(projectId, version.name, { label }, versions);
  const say = useToast();
  const loading = current.version === undefined && current.error === null;
  const move = {
    label: visibleText(label),
    from: current.version?.version ?? null,
    to: version.version,
    latest: versions.latest?.version ?? version.version,
    proposal: version.proposal ?? false,
  };

  const confirm = () =>
    moveLabel.mutate(
      { label, version: version.version },
      {
        onSuccess: () => {
          say(`Moved ${move.label} to version ${move.to}`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Move ${move.label} to version ${move.to}?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={loading} busy={moveLabel.isPending} onClick={confirm}>
            Move
          </Button>
        </>
      }
    >
      {current.error !== null && <p className="text-ink-soft">The current version of this label can't be resolved.</p>}
      {!loading && current.error === null && (
        <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-soft">
          {consequences(move).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>The move is recorded in the audit log. You can move it back at any time.</li>
        </ul>
      )}
      {moveLabel.error && (
        <p role="alert" className="mt-2 text-bad">
          {moveLabel.error.message}
        </p>
      )}
    </Dialog>
  );
}
