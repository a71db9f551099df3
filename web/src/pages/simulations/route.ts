import { createRoute } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { datasetsQuery } from '../../api/datasets.ts';
import {
  batchDistributionsQuery,
  batchItemsQuery,
  batchRunQuery,
  batchRunsQuery,
  scenarioQuery,
  scenariosQuery,
} from '../../api/simulations.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { readBatchRunSearch, readSimulationsSearch } from './search.ts';
import type { BatchRunSearch, SimulationsSearch } from './search.ts';

const simulationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations',
  staticData: { navigation: { group: 'Improve', title: 'Simulations', icon: FlaskConical, key: 'x' } },
  validateSearch: readExactly(readSimulationsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, { tab, scenario: scenarioId, status, q }: SimulationsSearch) => [
    client.prefetchInfiniteQuery(scenariosQuery(projectId)),
    tab === undefined
      ? client.prefetchInfiniteQuery(datasetsQuery(projectId))
      : client.prefetchInfiniteQuery(batchRunsQuery(projectId, { scenarioId, status, q })),
  ]),
  component: pageOf(() => import('./simulations-page.tsx')),
});
const newScenarioRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/new',
  component: pageOf(() => import('./new-scenario-page.tsx')),
});
const scenarioRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/scenarios/$scenarioId',
  loader: prefetch('light', ({ scenarioId }: ProjectPath & { scenarioId: string }) => (client, projectId) => [
    client.prefetchQuery(scenarioQuery(projectId, scenarioId)),
  ]),
  component: pageOf(() => import('./scenario-page.tsx')),
});
const batchRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/runs/$batchRunId',
  validateSearch: readExactly(readBatchRunSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch(
    'light',
    ({ batchRunId }: ProjectPath & { batchRunId: string }) =>
      (client, projectId, { status, baseline, change }: BatchRunSearch) => [
        client.prefetchQuery(batchRunQuery(projectId, batchRunId)),
        client.prefetchInfiniteQuery(batchItemsQuery(projectId, batchRunId, { status, baseline, change })),
        client.prefetchQuery(batchDistributionsQuery(projectId, batchRunId, baseline)),
      ],
  ),
  component: pageOf(() => import('./batch-run-page.tsx')),
});

export const routes = [simulationsRoute, newScenarioRoute, scenarioRoute, batchRunRoute] as const;
