import { createRoute } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { sessionsQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readSessionsSearch, sessionsRequest } from './search.ts';
import type { SessionsSearch } from './search.ts';

const sessionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions',
  staticData: { navigation: { group: 'Observe', title: 'Sessions', icon: MessagesSquare, key: 's' } },
  validateSearch: readExactly(readSessionsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: SessionsSearch) => [
    client.prefetchInfiniteQuery(sessionsQuery(projectId, sessionsRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./sessions-page.tsx')),
});

export const routes = [sessionsRoute] as const;
