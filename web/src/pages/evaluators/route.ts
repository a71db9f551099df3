import { createRoute } from '@tanstack/react-router';
import { Gauge, ListChecks } from 'lucide-react';
import { evaluationsQuery, evaluatorQuery, evaluatorsQuery } from '../../api/evaluators.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { evaluationsRequest, readEvaluationsSearch } from './evaluations-search.ts';
import type { EvaluationsSearch } from './evaluations-search.ts';

const evaluatorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators',
  staticData: { navigation: { group: 'Improve', title: 'Evaluators', icon: Gauge, key: 'e' } },
  loader: prefetch('light', () => (client, projectId) => [client.prefetchQuery(evaluatorsQuery(projectId))]),
  component: pageOf(() => import('./evaluators-page.tsx')),
});
const newEvaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/new',
  component: pageOf(() => import('./new-evaluator-page.tsx')),
});
const evaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/$evaluatorId',
  loader: prefetch('light', ({ evaluatorId }: ProjectPath & { evaluatorId: string }) => (client, projectId) => [
    client.prefetchQuery(evaluatorQuery(projectId, evaluatorId)),
  ]),
  component: pageOf(() => import('./evaluator-page.tsx')),
});
const evaluationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluations',
  staticData: { navigation: { group: 'Improve', title: 'Evaluations', icon: ListChecks, key: 'r' } },
  validateSearch: readExactly(readEvaluationsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: EvaluationsSearch) => [
    client.prefetchInfiniteQuery(evaluationsQuery(projectId, evaluationsRequest(search))),
  ]),
  component: pageOf(() => import('./evaluations-page.tsx')),
});

export const routes = [evaluatorsRoute, newEvaluatorRoute, evaluatorRoute, evaluationsRoute] as const;
