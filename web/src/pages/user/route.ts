import { createRoute } from '@tanstack/react-router';
import { userQuery } from '../../api/users.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { rangeRequest } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readUserSearch } from './search.ts';
import type { UserSearch } from './search.ts';

const userRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/users/$userId',
  validateSearch: readExactly(readUserSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', ({ userId }: ProjectPath & { userId: string }) => (client, projectId, search: UserSearch) => [
    client.prefetchQuery(userQuery(projectId, userId, rangeRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./user-page.tsx')),
});

export const routes = [userRoute] as const;
