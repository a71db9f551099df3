import { createRoute, redirect } from '@tanstack/react-router';
import { Telescope } from 'lucide-react';
import { listedSpansQuery } from '../../api/spans.ts';
import { sessionsQuery, tracesQuery } from '../../api/traces.ts';
import { filterErrorIn } from '../../filter-terms.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { pages } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { askedKeys, keysRequest } from './key-columns.ts';
import { listedSearch } from './listed-search.ts';
import { filterSubjectOf, readExploreSearch, sessionsRequest, spansRequest, subjectOf, tracesRequest } from './search.ts';
import type { ExploreSearch } from './search.ts';

const exploreRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/explore',
  staticData: {
    navigation: {
      group: 'Observe',
      title: 'Explore',
      icon: Telescope,
      key: 't',
      holds: ['traces/', 'sessions/', 'users', 'trace-comparison'],
    },
  },
  validateSearch: readExactly(readExploreSearch),
  loaderDeps: ({ search }) => ({
    ...listedSearch(search),
    chart: search.chart,
    columns: askedKeys(search.columns, filterSubjectOf(search)),
  }),
  loader: prefetch('light', () => (client, projectId, search: ExploreSearch & { columns: readonly string[] }) => {
    if (search.chart === '1' || filterErrorIn(search.filter ?? '', filterSubjectOf(search)) !== null) return [];
    const [live, nowMs, keys] = [search.live === '1', Date.now(), keysRequest(search.columns)];
    switch (subjectOf(search)) {
      case 'spans':
        return [client.prefetchInfiniteQuery(listedSpansQuery(projectId, { ...spansRequest(search, nowMs), ...keys }, live))];
      case 'sessions':
        return [client.prefetchInfiniteQuery(sessionsQuery(projectId, sessionsRequest(search, nowMs)))];
      case 'traces':
        return [client.prefetchInfiniteQuery(tracesQuery(projectId, { ...tracesRequest(search, nowMs), ...keys }, live))];
    }
  }),
  component: pageOf(() => import('./explore-page.tsx')),
});

/** The lists' addresses of earlier releases. */
const tracesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces',
  validateSearch: readExactly(readExploreSearch),
  beforeLoad: ({ params, search }) => {
    throw redirect({ ...pages.traces(params), search, replace: true });
  },
});

const sessionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions',
  validateSearch: readExactly((search: Record<string, unknown>) => readExploreSearch({ ...search, on: 'sessions' })),
  beforeLoad: ({ params, search }) => {
    throw redirect({ ...pages.sessions(params), search, replace: true });
  },
});

export const routes = [exploreRoute, tracesRoute, sessionsRoute] as const;
