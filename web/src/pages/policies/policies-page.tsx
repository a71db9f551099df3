import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { policiesQuery } from '../../api/policies.ts';
import type { PolicyList } from '../../api/policies.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Failure, ListSkeleton, PageSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { DownloadButton } from './download-button.tsx';
import { PoliciesTab } from './policies-tab.tsx';
import type { PolicyTab } from './search.ts';
import type { Selection } from './selection.ts';

const PlanTab = deferred(() => import('./plan-tab.tsx'), <ListSkeleton />);
const RevisionsTab = deferred(() => import('./revisions-tab.tsx'), <ListSkeleton />);

/** Policy-as-code of a project: what files manage, planning and applying files, revisions. */
export default function PoliciesPage(): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(policiesQuery(projectId));
  const { view: tab = 'policies' } = useSearch({ from: '/o/$org/p/$project/policies' });
  const navigate = useNavigate();
  const show = (next: PolicyTab) =>
    void navigate({ to: '.', search: next === 'policies' ? {} : { view: next }, replace: next === 'policies' });
  return (
    <Page
      title="Policies"
      fill
      actions={
        query.data && (
          <>
            {query.data.policies.length > 0 && <DownloadButton />}
            {tab !== 'plan' && (
              <Button look="primary" onClick={() => show('plan')}>
                <FileUp aria-hidden />
                Plan files
              </Button>
            )}
          </>
        )
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : (
        <PolicyTabs list={query.data} tab={tab} onTab={show} />
      )}
    </Page>
  );
}

function PolicyTabs({ list, tab, onTab }: { list: PolicyList; tab: PolicyTab; onTab(tab: PolicyTab): void }): ReactNode {
  // Kept while another tab is open, for example to attach what blocks an apply.
  const [selection, setSelection] = useState<Selection | null>(null);
  return (
    <Tabs<PolicyTab>
      label="Policy views"
      className="flex-1"
      value={tab}
      onValue={onTab}
      tabs={[
        { value: 'policies', label: 'Policies', content: <PoliciesTab list={list} /> },
        {
          value: 'plan',
          label: 'Plan and apply',
          content: (
            <Scroller>
              <PlanTab selection={selection} onSelect={setSelection} />
            </Scroller>
          ),
        },
        { value: 'revisions', label: 'Revisions', content: <RevisionsTab /> },
      ]}
    />
  );
}

function Scroller({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="scroll-thin h-full overflow-auto" tabIndex={0} role="group" aria-label="Plan and apply">
      {children}
    </div>
  );
}
