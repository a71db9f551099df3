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
import { readExploreSearch, sessionsRequest, spansRequest, subjectOf, tracesRequest } from './search.ts';
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
    columns: askedKeys(search.columns, subjectOf(search) === 'spans' ? 'spans' : 'traces'),
  }),
  loader: prefetch('light', () => (client, projectId, search: ExploreSearch & { columns: readonly string[] }) => {
    if (filterErrorIn(search.filter ?? '', search.on === 'spans' ? 'spans' : 'traces') !== null) return [];
    const live = search.live === '1';
    if (search.on === 'spans')
      return [
        client.prefetchInfiniteQuery(
          listedSpansQuery(projectId, { ...spansRequest(search, Date.now()), ...keysRequest(search.columns) }, live),
        ),
      ];
    if (search.on === 'sessions')
      return [client.prefetchInfiniteQuery(sessionsQuery(projectId, sessionsRequest(search, Date.now())))];
    return [
      client.prefetchInfiniteQuery(
        tracesQuery(projectId, { ...tracesRequest(search, Date.now()), ...keysRequest(search.columns) }, live),
      ),
    ];
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
