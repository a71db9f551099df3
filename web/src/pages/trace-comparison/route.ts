import { createRoute } from '@tanstack/react-router';
import { traceComparisonQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readComparisonSearch } from './search.ts';
import type { ComparisonSearch } from './search.ts';

const comparisonRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/trace-comparison',
  validateSearch: readExactly(readComparisonSearch),
  loaderDeps: ({ search: { a, b } }) => ({ a, b }),
  loader: prefetch(
    'heavy',
    () =>
      (client, projectId, { a, b }: ComparisonSearch) =>
        a === undefined || b === undefined ? [] : [client.prefetchQuery(traceComparisonQuery(projectId, a, b))],
  ),
  component: pageOf(() => import('./comparison-page.tsx')),
});

export const routes = [comparisonRoute] as const;
