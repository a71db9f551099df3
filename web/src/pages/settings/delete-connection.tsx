import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useConnectionActions } from '../../api/connections.ts';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import type { ModelConnectionRecord } from '../../api/wire.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

/** Deletes a model connection. Lists the evaluators that use it. */
export function DeleteConnection({ connection, onClose }: { connection: ModelConnectionRecord; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(evaluatorsQuery(projectId));
  const { remove } = useConnectionActions(projectId);
  const say = useToast();
  const users = (data?.evaluators ?? []).filter(({ config }) => config['connectionId'] === connection.id);
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete connection?"
      description={
        <>
          Deletes <Visible text={connection.name} className="font-medium" /> and its key.{' '}
          {users.length > 0 && (
            <>
              Evaluators that use it will fail:{' '}
              <Visible text={users.map(({ name }) => name).join(', ')} className="font-medium" />.
            </>
          )}
        </>
      }
      action="Delete"
      busy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() =>
        remove.mutate(connection.id, {
          onSuccess: () => {
            say('Connection deleted');
            onClose();
          },
        })
      }
    />
  );
}
