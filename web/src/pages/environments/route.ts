import { createRoute } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { environmentsQuery } from '../../api/environments.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';

const environmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/environments',
  staticData: { navigation: { group: 'Operate', title: 'Environments', icon: Layers, key: 'v' } },
  loader: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(environmentsQuery(projectId))]),
  component: pageOf(() => import('./environments-page.tsx')),
});

export const routes = [environmentsRoute] as const;
