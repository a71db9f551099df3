import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { findingsQuery, useLifecycleActions } from '../../api/model-lifecycle.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Moment } from '../../design/figures.tsx';
import { ListSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { FindingsTab } from './findings-tab.tsx';

const CatalogueTab = deferred(() => import('./catalogue-tab.tsx'), <ListSkeleton />);

/** Retirements of called models, and the catalogue of retirement dates. */
export default function LifecyclePage(): ReactNode {
  const { view = 'findings' } = useSearch({ from: '/o/$org/p/$project/model-lifecycle' });
  const navigate = useNavigate();
  return (
    <Page title="Model lifecycle" fill actions={<Scan />}>
      <Tabs<'findings' | 'catalogue'>
        label="Model lifecycle views"
        className="flex-1"
        value={view}
        onValue={(next) => void navigate({ to: '.', search: next === 'findings' ? {} : { view: next } })}
        tabs={[
          { value: 'findings', label: 'Findings', content: <FindingsTab /> },
          { value: 'catalogue', label: 'Catalogue', content: <CatalogueTab /> },
        ]}
      />
    </Page>
  );
}

/** When the models were last scanned, and a scan now. */
function Scan(): ReactNode {
  const { projectId, can } = useProject();
  const { data } = useQuery(findingsQuery(projectId));
  const { scan } = useLifecycleActions(projectId);
  const say = useToast();
  const start = () =>
    scan.mutate(undefined, {
      onSuccess: ({ raised, open }) => say(`Scanned. ${raised} raised, ${open} open.`),
      onError: () => say('Scan failed. Try again.', 'bad'),
    });
  return (
    <>
      {data && (
        <span className="text-xs text-ink-faint">
          Last scan: {data.scannedAt === null ? 'none yet' : <Moment ago iso={data.scannedAt} />}
        </span>
      )}
      {can('alerts:manage') && (
        <Button busy={scan.isPending} onClick={start}>
          <RefreshCw aria-hidden />
          Scan now
        </Button>
      )}
    </>
  );
}
