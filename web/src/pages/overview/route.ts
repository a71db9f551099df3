import { createRoute } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { changesQuery } from '../../api/changes.ts';
import { overviewQuery } from '../../api/models.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { rangeRequest, timelineRequest } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readOverviewSearch } from './search.ts';

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  staticData: { navigation: { group: 'Observe', title: 'Overview', icon: LayoutDashboard, key: 'o' } },
  validateSearch: readExactly(readOverviewSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: FiguresSearch) => [
    client.prefetchQuery(overviewQuery(projectId, timelineRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./overview-page.tsx')),
});

export const routes = [overviewRoute] as const;
