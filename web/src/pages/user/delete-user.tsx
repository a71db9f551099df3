import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useDeleteUser } from '../../api/users.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { UserSearch } from './search.ts';

/** Deletes all data of the user. Hidden without permission. */
export function DeleteUser({ userId }: { userId: string }): ReactNode {
  const { projectId, can } = useProject();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteUser(projectId);
  const navigate = useNavigate();
  if (!can('traces:delete')) return null;
  return (
    <>
      <IconButton label="Delete this user's data" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this user's data?"
        description={
          <>
            Deletes every trace of <Visible text={userId} className="font-medium text-ink" />, whatever the time range, and what
            was made from them: dataset and run items, answers of simulations, and all exports of the project. This can't be
            undone.
          </>
        }
        action="Delete all data"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(userId, {
            onSuccess: ({ id }) => {
              setAsking(false);
              void navigate({ to: '.', search: (before: UserSearch) => ({ ...before, job: id }), replace: true });
            },
          })
        }
      />
    </>
  );
}
