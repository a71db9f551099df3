import { createRoute } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readAnnotationSearch } from './search.ts';

const annotationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/annotation',
  staticData: { navigation: { group: 'Improve', title: 'Annotation', icon: PenLine, key: 'a' } },
  validateSearch: readExactly(readAnnotationSearch),
  component: pageOf(() => import('./annotation-page.tsx')),
});

export const routes = [annotationRoute] as const;
