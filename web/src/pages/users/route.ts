import { createRoute } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { usersQuery } from '../../api/users.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readUsersSearch, usersRequest } from './search.ts';
import type { UsersSearch } from './search.ts';

const usersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/users',
  staticData: { navigation: { group: 'Observe', title: 'Users', icon: UsersRound, key: 'h', aside: true } },
  validateSearch: readExactly(readUsersSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: UsersSearch) => [
    client.prefetchInfiniteQuery(usersQuery(projectId, usersRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./users-page.tsx')),
});

export const routes = [usersRoute] as const;
