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

/** The error message; for a 409, the service names the prompts that reference this one. */
function errorMessage(error: Error | null): string | null {
  if (error === null) return null;
  const isReferenced = error instanceof ApiError && error.status === 409;
  return visibleText(isReferenced ? `Other prompts reference this prompt. ${error.message}` : error.message);
}

/** Deletes a prompt with all versions. Hidden without permission. */
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
      <IconButton label="Delete prompt" onClick={() => ask(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={ask}
        title="Delete prompt?"
        description={`Deletes all versions up to version ${newest}. Applications that request this prompt will get an error. This can't be undone.`}
        action="Delete"
        busy={remove.isPending}
        error={errorMessage(remove.error)}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              say('Prompt deleted');
              void navigate(pages.prompts(at));
            },
          })
        }
      />
    </>
  );
}
