import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { usePromptActions } from '../../api/prompts.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Why it cannot be deleted; the service names the prompts that stand in the way. */
function refusalInWords(error: Error | null): string | null {
  if (error === null) return null;
  const inTheWay = error instanceof ApiError && error.status === 409;
  return visibleText(inTheWay ? `It cannot be deleted while other prompts need it. ${error.message}` : error.message);
}

/** Deletes the prompt with all its versions, for those who may. */
export function DeletePrompt({ name, newest }: { name: string; newest: number }): ReactNode {
  const { at, projectId, can } = useProject();
  const [asking, setAsking] = useState(false);
  const { remove } = usePromptActions(projectId, name);
  const navigate = useNavigate();
  const say = useToast();
  if (!can('prompts:manage')) return null;
  const ask = (open: boolean) => {
    remove.reset();
    setAsking(open);
  };
  return (
    <>
      <IconButton label="Delete this prompt" onClick={() => ask(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={ask}
        title="Delete this prompt?"
        description={`All its versions go, up to version ${newest}. Applications that fetch it get an error from then on. This cannot be taken back.`}
        action="Delete"
        busy={remove.isPending}
        error={refusalInWords(remove.error)}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              say('The prompt was deleted.');
              void navigate(pages.prompts(at));
            },
          })
        }
      />
    </>
  );
}
