import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScenarioActions } from '../../api/simulations.ts';
import type { Scenario } from '../../api/service.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Asks whether a scenario is to be deleted, and deletes it. */
export function DeleteScenario({ scenario, onClose }: { scenario: Scenario; onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const { remove } = useScenarioActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete scenario?"
      description={
        <>
          Deletes <Visible text={scenario.name} className="font-medium text-ink" />. Its batch runs stay, and those in progress go
          on. This can't be undone.
        </>
      }
      action="Delete"
      busy={remove.isPending}
      error={remove.error?.message ?? null}
      onConfirm={() =>
        remove.mutate(scenario.id, {
          onSuccess: () => {
            onClose();
            say('Scenario deleted');
            void navigate({ ...pages.simulations(at), ignoreBlocker: true });
          },
        })
      }
    />
  );
}
