import { createRoute } from '@tanstack/react-router';
import { FileCode2 } from 'lucide-react';
import { policiesQuery, policyRevisionsQuery } from '../../api/policies.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readPoliciesSearch } from './search.ts';
import type { PoliciesSearch } from './search.ts';

const policiesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/policies',
  staticData: { navigation: { group: 'Govern', title: 'Policies', icon: FileCode2, key: 'y' } },
  validateSearch: readExactly(readPoliciesSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, { view }: PoliciesSearch) => [
    client.prefetchQuery(policiesQuery(projectId)),
    ...(view === 'revisions' ? [client.prefetchInfiniteQuery(policyRevisionsQuery(projectId))] : []),
  ]),
  component: pageOf(() => import('./policies-page.tsx')),
});

export const routes = [policiesRoute] as const;
