import { createRoute } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { findingsQuery } from '../../api/model-lifecycle.ts';
import { modelsQuery } from '../../api/models.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { figuresRequest } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readModelsSearch } from './search.ts';

const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models',
  staticData: { navigation: { group: 'Observe', title: 'Models', icon: Boxes, key: 'm' } },
  validateSearch: readExactly(readModelsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: FiguresSearch) => [
    client.prefetchQuery(modelsQuery(projectId, figuresRequest(search, Date.now()))),
    client.prefetchQuery(findingsQuery(projectId)),
  ]),
  component: pageOf(() => import('./models-page.tsx')),
});

export const routes = [modelsRoute] as const;
