import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useScenarioActions } from '../../api/simulations.ts';
import { Failure } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { ScenarioForm } from './scenario-form.tsx';
import { emptyScenario, fieldsOf } from './scenario-values.ts';
import { SimulationsTrail } from './trail.tsx';

/** Creates a scenario. */
export default function NewScenarioPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { create } = useScenarioActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <Page title="New scenario" form trail={<SimulationsTrail />}>
      {can('simulations:manage') ? (
        <ScenarioForm
          initial={emptyScenario}
          action="Create scenario"
          busy={create.isPending}
          error={create.error}
          onSubmit={(form, _filled, done) =>
            create.mutate(fieldsOf(form), {
              onSuccess: ({ id }) => {
                done();
                say('Scenario created');
                void navigate(pages.scenario(at, id));
              },
            })
          }
        />
      ) : (
        <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission simulations:manage')} />
      )}
    </Page>
  );
}
