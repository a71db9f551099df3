import { createRoute } from '@tanstack/react-router';
import { GitCommitHorizontal } from 'lucide-react';
import { changeQuery, changesQuery, impactQuery } from '../../api/changes.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { changesRequest, impactRequest, readChangeSearch, readChangesSearch } from './search.ts';
import type { ChangeSearch, ChangesSearch } from './search.ts';

const changesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/changes',
  staticData: { navigation: { group: 'Operate', title: 'Changes', icon: GitCommitHorizontal, key: 'c' } },
  validateSearch: readExactly(readChangesSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: ChangesSearch) => [
    client.prefetchInfiniteQuery(changesQuery(projectId, changesRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./changes-page.tsx')),
});
const changeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/changes/$changeId',
  validateSearch: readExactly(readChangeSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('heavy', ({ changeId }: ProjectPath & { changeId: string }) => (client, projectId, search: ChangeSearch) => [
    client.prefetchQuery(changeQuery(projectId, changeId)),
    client.prefetchQuery(impactQuery(projectId, changeId, impactRequest(search))),
  ]),
  component: pageOf(() => import('./change-page.tsx')),
});

export const routes = [changesRoute, changeRoute] as const;
