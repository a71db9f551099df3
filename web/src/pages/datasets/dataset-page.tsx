import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasetQuery } from '../../api/datasets.ts';
import type { Dataset } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Failure, ListSkeleton, PageSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DatasetMenu } from './dataset-menu.tsx';
import { ItemActions } from './item-actions.tsx';
import { ItemsTab } from './items-tab.tsx';
import { RunsTab } from './runs-tab.tsx';
import type { DatasetTab } from './search.ts';

const CompareTab = deferred(() => import('./compare-tab.tsx'), <ListSkeleton />);

/** One dataset: items, runs and comparison. */
export default function DatasetPage(): ReactNode {
  const { at, projectId } = useProject();
  const { datasetId } = useParams({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const navigate = useNavigate();
  const query = useQuery(datasetQuery(projectId, datasetId));
  const dataset = query.data;
  const trail = (
    <Link {...pages.datasets(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Datasets /
    </Link>
  );
  if (!dataset) {
    return (
      <Page title="Dataset" trail={trail}>
        {query.error ? (
          <Failure
            error={query.error}
            what="Dataset"
            back={<BackLink {...pages.datasets(at)}>Back to datasets</BackLink>}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <PageSkeleton />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={dataset.name}
      trail={trail}
      fill
      badges={<Badge>{countedExactly(dataset.itemCount, 'item')}</Badge>}
      actions={<DatasetMenu dataset={dataset} onDeleted={() => void navigate(pages.datasets(at))} />}
    >
      {dataset.description && <VisibleLine text={dataset.description} className="shrink-0 bg-surface px-4 pt-2 text-ink-soft" />}
      <DatasetTabs key={datasetId} dataset={dataset} />
    </Page>
  );
}

function DatasetTabs({ dataset }: { dataset: Dataset }): ReactNode {
  const { tab = 'items' } = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const navigate = useNavigate();
  return (
    <Tabs<DatasetTab>
      label="Dataset views"
      className="flex-1 bg-surface"
      value={tab}
      onValue={(next) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, tab: next === 'items' ? undefined : next, item: undefined }),
          replace: true,
        })
      }
      aside={tab === 'items' && <ItemActions dataset={dataset} />}
      tabs={[
        { value: 'items', label: 'Items', content: <ItemsTab dataset={dataset} /> },
        { value: 'runs', label: 'Runs', content: <RunsTab dataset={dataset} /> },
        {
          value: 'compare',
          label: 'Compare',
          content: <CompareTab dataset={dataset} />,
        },
      ]}
    />
  );
}
