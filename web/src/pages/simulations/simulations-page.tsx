import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { scenariosQuery } from '../../api/simulations.ts';
import { buttonClass } from '../../design/button.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { RunsTab } from './runs-tab.tsx';
import { ScenariosTab } from './scenarios-tab.tsx';

/** The scenarios of a project and their batch runs. */
export default function SimulationsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { tab } = useSearch({ from: '/o/$org/p/$project/simulations' });
  const navigate = useNavigate();
  const scenarios = useInfiniteQuery(scenariosQuery(projectId));
  const create = can('simulations:manage') && (
    <Link {...pages.newScenario(at)} className={buttonClass('primary')}>
      <Plus aria-hidden />
      New scenario
    </Link>
  );
  const hasScenarios = (scenarios.data?.pages[0]?.scenarios.length ?? 0) > 0;
  return (
    <Page title="Simulations" fill actions={hasScenarios && create}>
      <Tabs
        label="Simulations"
        value={tab ?? 'scenarios'}
        onValue={(next) =>
          void navigate({ ...pages.simulations(at), search: next === 'runs' ? { tab: 'runs' } : {}, replace: true })
        }
        className="min-h-0 flex-1 bg-surface"
        tabs={[
          { value: 'scenarios', label: 'Scenarios', content: <ScenariosTab create={create} /> },
          { value: 'runs', label: 'Batch runs', content: <RunsTab /> },
        ]}
      />
    </Page>
  );
}
