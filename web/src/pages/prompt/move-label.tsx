import type { ReactNode } from 'react';
import { usePromptActions } from '../../api/prompts.ts';
import type { PromptVersion } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { consequences, moveInWords } from './label-words.ts';
import { useVersion } from '../../api/prompt-versions.ts';
import type { Versions } from '../../api/prompt-versions.ts';

interface MoveLabelProps {
  label: string;
  /** Where it goes. */
  version: PromptVersion;
  versions: Versions;
  onClose(): void;
}

/** Says what a move of a label changes for whom, and moves it. */
export function MoveLabel({ label, version, versions, onClose }: MoveLabelProps): ReactNode {
  const { projectId } = useProject();
  const { moveLabel } = usePromptActions(projectId, version.name);
  // Also a label of a version that is not in the list yet.
  const sits = useVersion(projectId, version.name, { label }, versions);
  const say = useToast();
  const looking = sits.version === undefined && sits.error === null;
  const move = {
    label: visibleText(label),
    from: sits.version?.version ?? null,
    to: version.version,
    newest: versions.newest?.version ?? version.version,
  };
  const words = sits.error === null ? moveInWords(move) : `${move.label} moves to ${move.to}`;
  const confirm = () =>
    moveLabel.mutate(
      { label, version: version.version },
      {
        onSuccess: () => {
          say(`Done: ${words}.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={looking ? 'Looking where it sits…' : words}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={looking} busy={moveLabel.isPending} onClick={confirm}>
            Move it
          </Button>
        </>
      }
    >
      {sits.error !== null && (
        <p className="text-ink-soft">
          Which version has it now cannot be told, since that one cannot be read. Moving it here works all the same.
        </p>
      )}
      {!looking && sits.error === null && (
        <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-soft">
          {consequences(move).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>The audit log keeps who moved it. Moving it back is as quick.</li>
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
