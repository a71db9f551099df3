import { createRoute } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { blastRadiusQuery, graphQuery } from '../../api/graph.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { graphRequest, readGraphSearch } from './search.ts';
import type { GraphSearch } from './search.ts';

const graphRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/graph',
  staticData: { navigation: { group: 'Observe', title: 'Graph', icon: Waypoints, key: 'n' } },
  validateSearch: readExactly(readGraphSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: GraphSearch) => [
    client.prefetchQuery(graphQuery(projectId, graphRequest(search, Date.now()))),
    ...(search.node === undefined
      ? []
      : [client.prefetchQuery(blastRadiusQuery(projectId, search.node, graphRequest(search, Date.now())))]),
  ]),
  component: pageOf(() => import('./graph-page.tsx')),
});

export const routes = [graphRoute] as const;
