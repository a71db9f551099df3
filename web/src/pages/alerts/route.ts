import { createRoute } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { alertQuery, alertsQuery } from '../../api/alerts.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { readAlertSearch } from './search.ts';

const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts',
  staticData: { navigation: { group: 'Operate', title: 'Alerts', icon: Bell, key: 'b' } },
  loader: prefetch('light', () => (client, projectId) => [client.prefetchQuery(alertsQuery(projectId))]),
  component: pageOf(() => import('./alerts-page.tsx')),
});
const newAlertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts/new',
  component: pageOf(() => import('./new-alert-page.tsx')),
});
const alertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts/$alertId',
  validateSearch: readExactly(readAlertSearch),
  loader: prefetch('light', ({ alertId }: ProjectPath & { alertId: string }) => (client, projectId) => [
    client.prefetchQuery(alertQuery(projectId, alertId)),
  ]),
  component: pageOf(() => import('./alert-page.tsx')),
});

export const routes = [alertsRoute, newAlertRoute, alertRoute] as const;
