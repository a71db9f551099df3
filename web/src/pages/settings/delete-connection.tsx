import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usesOf, useConnectionActions } from '../../api/connections.ts';
import type { ConnectionUse, ModelConnection } from '../../api/service.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { ProjectPath } from '../../paths.ts';
import { pages } from '../../paths.ts';

/** Deletes a model connection. While something uses it, lists what does. */
export function DeleteConnection({ connection, onClose }: { connection: ModelConnection; onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const { remove } = useConnectionActions(projectId);
  const say = useToast();
  const uses = usesOf(remove.error);
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={uses ? 'Connection in use' : 'Delete connection?'}
      description={
        uses ? (
          <>
            <Visible text={connection.name} className="font-medium" /> can&apos;t be deleted while these use it. Choose another
            connection there first.
            <span className="mt-2 flex flex-col gap-1">
              {uses.map((use) => (
                <Link key={use.id} {...pageOf(at, use)} className="text-accent hover:underline">
                  {kinds[use.kind]} <Visible text={use.name} />
                </Link>
              ))}
            </span>
          </>
        ) : (
          <>
            Deletes <Visible text={connection.name} className="font-medium" /> and its key.
          </>
        )
      }
      action="Delete"
      busy={remove.isPending}
      error={uses ? null : (remove.error?.message ?? null)}
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

const kinds = { guardrail: 'Guardrail', evaluator: 'Evaluator', scenario: 'Scenario' } as const;

function pageOf(at: ProjectPath, { kind, id, name }: ConnectionUse) {
  if (kind === 'guardrail') return pages.guardrail(at, name);
  return kind === 'evaluator' ? pages.evaluator(at, id) : pages.scenario(at, id);
}
