import { createRoute } from '@tanstack/react-router';
import { Target } from 'lucide-react';
import { changesQuery } from '../../api/changes.ts';
import { outcomeKindsQuery, outcomeSummaryQuery } from '../../api/outcomes.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { figuresRequest, rangeRequest } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readOutcomesSearch } from './search.ts';
import type { OutcomesSearch } from './search.ts';

const outcomesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/outcomes',
  staticData: { navigation: { group: 'Observe', title: 'Outcomes', icon: Target, key: 'w' } },
  validateSearch: readExactly(readOutcomesSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, search: OutcomesSearch) => [
    client.prefetchQuery(outcomeSummaryQuery(projectId, figuresRequest(search, Date.now()), search.kind)),
    client.prefetchQuery(outcomeKindsQuery(projectId, figuresRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
  ]),
  component: pageOf(() => import('./outcomes-page.tsx')),
});

export const routes = [outcomesRoute] as const;
