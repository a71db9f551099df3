import { createRoute } from '@tanstack/react-router';
import { userQuery } from '../../api/users.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { readExactly } from '../../search-text.ts';

const userRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/users/$userId',
  validateSearch: readExactly(readRange),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', ({ userId }: ProjectPath & { userId: string }) => (client, projectId, search: RangeSearch) => [
    client.prefetchQuery(userQuery(projectId, userId, rangeRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./user-page.tsx')),
});

export const routes = [userRoute] as const;
