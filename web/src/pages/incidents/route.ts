import { createRoute } from '@tanstack/react-router';
import { Siren } from 'lucide-react';
import { alertsQuery } from '../../api/alerts.ts';
import { environmentsQuery } from '../../api/environments.ts';
import { fixProposalsQuery, incidentQuery, incidentsQuery } from '../../api/incidents.ts';
import { IncidentBadge } from '../../frame/incident-badge.tsx';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { incidentsRequest, readIncidentsSearch } from './search.ts';
import type { IncidentsSearch } from './search.ts';

const incidentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/incidents',
  staticData: { navigation: { group: 'Operate', title: 'Incidents', icon: Siren, key: 'i', badge: IncidentBadge } },
  validateSearch: readExactly(readIncidentsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: IncidentsSearch) => [
    client.prefetchInfiniteQuery(incidentsQuery(projectId, incidentsRequest(search, Date.now()))),
    client.prefetchQuery(alertsQuery(projectId)),
    client.prefetchInfiniteQuery(environmentsQuery(projectId)),
  ]),
  component: pageOf(() => import('./incidents-page.tsx')),
});
const incidentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/incidents/$incidentId',
  loader: prefetch('heavy', ({ incidentId }: ProjectPath & { incidentId: string }) => (client, projectId) => [
    client.prefetchQuery(incidentQuery(projectId, incidentId)),
    client.prefetchQuery(alertsQuery(projectId)),
    client.prefetchQuery(fixProposalsQuery(projectId, incidentId)),
  ]),
  component: pageOf(() => import('./incident-page.tsx')),
});

export const routes = [incidentsRoute, incidentRoute] as const;
