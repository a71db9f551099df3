import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useEvaluatorActions } from '../../api/evaluators.ts';
import type { Evaluator } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Deletes an evaluator. Its scores are kept. */
export function DeleteEvaluator({ evaluator }: { evaluator: Evaluator }): ReactNode {
  const { at, projectId } = useProject();
  const { remove } = useEvaluatorActions(projectId);
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <>
      <IconButton label="Delete evaluator" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete evaluator?"
        description={
          <>
            Deletes <Visible text={evaluator.name} className="font-medium" /> and its queued evaluations. Existing scores are
            kept.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(evaluator.id, {
            onSuccess: () => {
              say('Evaluator deleted');
              void navigate({ ...pages.evaluators(at), ignoreBlocker: true });
            },
          })
        }
      />
    </>
  );
}
