import { createRoute } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readStartSearch } from './search.ts';

const startRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/start',
  staticData: { navigation: { title: 'Set up', icon: Activity, aside: true } },
  validateSearch: readExactly(readStartSearch),
  component: pageOf(() => import('./start-page.tsx')),
});

export const routes = [startRoute] as const;
