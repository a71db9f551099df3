import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useGuardrailActions } from '../../api/guardrails.ts';
import type { Guardrail } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Deletes a guardrail. Its activity is kept. */
export function DeleteGuardrail({ guardrail }: { guardrail: Guardrail }): ReactNode {
  const { at, projectId } = useProject();
  const { remove } = useGuardrailActions(projectId);
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <>
      <IconButton label="Delete guardrail" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete guardrail?"
        description={
          <>
            Deletes <Visible text={guardrail.name} className="font-medium" />. Checks stop using it within a second. Recorded
            activity is kept. This can't be undone.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(guardrail.id, {
            onSuccess: () => {
              say('Guardrail deleted');
              void navigate({ ...pages.guardrails(at), ignoreBlocker: true });
            },
          })
        }
      />
    </>
  );
}
