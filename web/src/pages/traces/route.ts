import { createRoute } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { tracesQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readTracesSearch, tracesRequest } from './search.ts';
import type { TracesSearch } from './search.ts';

const tracesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces',
  staticData: { navigation: { group: 'Observe', title: 'Traces', icon: ListTree, key: 't' } },
  validateSearch: readExactly(readTracesSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: TracesSearch) => [
    client.prefetchInfiniteQuery(tracesQuery(projectId, tracesRequest(search, Date.now()), search.live === '1')),
  ]),
  component: pageOf(() => import('./traces-page.tsx')),
});

export const routes = [tracesRoute] as const;
