import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useScoreActions } from '../../api/scores.ts';
import type { Score } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Confirm, Dialog } from '../../design/dialog.tsx';
import { Input, TextArea } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/** Changes and deletes a score: an annotation for its author and admins alone. */
export function ScoreActions({ score }: { score: Score }): ReactNode {
  const { can, user } = useProject();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const isOthers = score.source === 'annotation' && score.recordedBy?.id !== user.id;
  if (!can('evaluations:manage') || (isOthers && !can('traces:delete'))) return null;
  const named = `${visibleText(score.evaluator)} score`;
  return (
    <>
      <Button look="quiet" size="small" aria-label={`Edit ${named}`} onClick={() => setOpen('edit')}>
        <Pencil aria-hidden />
      </Button>
      <Button look="quiet" size="small" aria-label={`Delete ${named}`} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden />
      </Button>
      {open === 'edit' && <EditScore score={score} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteScore score={score} onClose={() => setOpen(null)} />}
    </>
  );
}

function EditScore({ score, onClose }: { score: Score; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { change } = useScoreActions(projectId);
  const [number, setNumber] = useState(score.score === null ? '' : String(score.score));
  const [label, setLabel] = useState(score.label ?? '');
  const [comment, setComment] = useState(score.comment ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = { score: number === '' ? null : Number(number), label: label || null, comment: comment || null };
    change.mutate({ score, fields }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={`Edit score ${visibleText(score.evaluator)}`}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input label="Score" type="number" step="any" value={number} onChange={(event) => setNumber(event.target.value)} />
        <Input label="Label" value={label} onChange={(event) => setLabel(event.target.value)} />
        <TextArea label="Comment" value={comment} onChange={(event) => setComment(event.target.value)} />
        {change.error && (
          <p role="alert" className="text-bad">
            {change.error.message}
          </p>
        )}
        <Button look="primary" type="submit" busy={change.isPending} disabled={number === '' && label === ''}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}

function DeleteScore({ score, onClose }: { score: Score; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { remove } = useScoreActions(projectId);
  const say = useToast();
  const confirm = () =>
    remove.mutate(score, {
      onSuccess: () => {
        say('Score deleted');
        onClose();
      },
    });
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete this score?"
      description="It leaves every figure. The deletion is recorded in the audit log."
      action="Delete"
      busy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={confirm}
    />
  );
}
