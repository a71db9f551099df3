import { createRoute } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readMappingSearch } from './search.ts';

const mappingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/mapping',
  staticData: { navigation: { title: 'Mapping inspector', icon: ScanSearch, aside: true } },
  validateSearch: readExactly(readMappingSearch),
  component: pageOf(() => import('./mapping-page.tsx')),
});

export const routes = [mappingRoute] as const;
