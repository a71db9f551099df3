import { createRoute } from '@tanstack/react-router';
import { Database } from 'lucide-react';
import { datasetRunQuery, datasetRunsQuery } from '../../api/dataset-runs.ts';
import { datasetItemsQuery, datasetQuery, datasetsQuery } from '../../api/datasets.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { readDatasetSearch, readRunSearch } from './search.ts';
import type { DatasetSearch } from './search.ts';

const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets',
  staticData: { navigation: { group: 'Improve', title: 'Datasets', icon: Database, key: 'd' } },
  loader: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(datasetsQuery(projectId))]),
  component: pageOf(() => import('./datasets-page.tsx')),
});
const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId',
  validateSearch: readExactly(readDatasetSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch(
    'heavy',
    ({ datasetId }: ProjectPath & { datasetId: string }) =>
      (client, projectId, { tab }: DatasetSearch) => [
        client.prefetchQuery(datasetQuery(projectId, datasetId)),
        tab === undefined || tab === 'items'
          ? client.prefetchInfiniteQuery(datasetItemsQuery(projectId, datasetId))
          : client.prefetchInfiniteQuery(datasetRunsQuery(projectId, datasetId)),
      ],
  ),
  component: pageOf(() => import('./dataset-page.tsx')),
});
const datasetRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId/runs/$runId',
  validateSearch: readExactly(readRunSearch),
  loader: prefetch('heavy', ({ datasetId, runId }: ProjectPath & { datasetId: string; runId: string }) => (client, projectId) => [
    client.prefetchQuery(datasetQuery(projectId, datasetId)),
    client.prefetchInfiniteQuery(datasetRunQuery(projectId, datasetId, runId)),
  ]),
  component: pageOf(() => import('./run-page.tsx')),
});

export const routes = [datasetsRoute, datasetRoute, datasetRunRoute] as const;
