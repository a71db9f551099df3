import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { scenarioQuery, useScenarioActions } from '../../api/simulations.ts';
import type { Scenario } from '../../api/service.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DeleteScenario } from './delete-scenario.tsx';
import { ScenarioForm } from './scenario-form.tsx';
import { changedFields, formOf } from './scenario-values.ts';
import { StartDialog } from './start-dialog.tsx';
import { SimulationsTrail } from './trail.tsx';

/** One scenario. */
export default function ScenarioPage(): ReactNode {
  const { at, projectId } = useProject();
  const { scenarioId } = useParams({ from: '/o/$org/p/$project/simulations/scenarios/$scenarioId' });
  const query = useQuery(scenarioQuery(projectId, scenarioId));
  const failure = failureOf(query);
  if (query.data && !failure) return <Body key={scenarioId} scenario={query.data} />;
  return (
    <Page title="Scenario" trail={<SimulationsTrail />}>
      {failure ? (
        <Failure
          error={failure}
          what="Scenario"
          back={<BackLink {...pages.simulations(at)}>Back to simulations</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function Body({ scenario }: { scenario: Scenario }): ReactNode {
  const { projectId, can } = useProject();
  const { change } = useScenarioActions(projectId);
  const [asked, setAsked] = useState<'start' | 'delete' | null>(null);
  const initial = useMemo(() => formOf(scenario), [scenario]);
  const say = useToast();
  const canEdit = can('simulations:manage');
  return (
    <Page
      title={scenario.name}
      trail={<SimulationsTrail />}
      actions={
        canEdit && (
          <>
            <Button onClick={() => setAsked('start')}>
              <Play aria-hidden />
              Start batch run
            </Button>
            <IconButton label="Delete scenario" onClick={() => setAsked('delete')}>
              <Trash2 aria-hidden />
            </IconButton>
          </>
        )
      }
    >
      <ScenarioForm
        initial={initial}
        action="Save"
        scenarioId={scenario.id}
        busy={change.isPending}
        error={change.error}
        readOnly={!canEdit}
        onSubmit={(form, filled, done) =>
          change.mutate(
            { id: scenario.id, ...changedFields(form, filled) },
            {
              onSuccess: () => {
                done();
                say('Saved');
              },
            },
          )
        }
      />
      {asked === 'start' && <StartDialog scenario={scenario} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteScenario scenario={scenario} onClose={() => setAsked(null)} />}
    </Page>
  );
}
