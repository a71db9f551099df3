import { createRoute } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { catalogueQuery, findingsQuery } from '../../api/model-lifecycle.ts';
import { modelsQuery } from '../../api/models.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readLifecycleSearch } from './search.ts';
import type { LifecycleSearch } from './search.ts';

const modelLifecycleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/model-lifecycle',
  staticData: { navigation: { group: 'Operate', title: 'Model lifecycle', icon: Hourglass, key: 'l' } },
  validateSearch: readExactly(readLifecycleSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, { view }: LifecycleSearch) => [
    client.prefetchQuery(findingsQuery(projectId)),
    view === 'catalogue'
      ? client.prefetchQuery(catalogueQuery(projectId))
      : client.prefetchQuery(modelsQuery(projectId, { range: '30d' })),
  ]),
  component: pageOf(() => import('./lifecycle-page.tsx')),
});

export const routes = [modelLifecycleRoute] as const;
