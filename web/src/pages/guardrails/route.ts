import { createRoute } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { guardrailActivityQuery, guardrailsQuery } from '../../api/guardrails.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { rangeRequest } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readGuardrailSearch } from './search.ts';
import type { GuardrailSearch } from './search.ts';

const guardrailsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/guardrails',
  staticData: { navigation: { group: 'Govern', title: 'Guardrails', icon: ShieldCheck, key: 'u' } },
  loader: prefetch('light', () => (client, projectId) => [
    client.prefetchQuery(guardrailsQuery(projectId)),
    client.prefetchQuery(guardrailActivityQuery(projectId, { range: '7d' }, { by: 'day' })),
  ]),
  component: pageOf(() => import('./guardrails-page.tsx')),
});
const guardrailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/guardrails/$slug',
  validateSearch: readExactly(readGuardrailSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', ({ slug }: ProjectPath & { slug: string }) => (client, projectId, search: GuardrailSearch) => [
    client.prefetchQuery(guardrailsQuery(projectId)),
    ...(search.part === undefined ? (['day', 'environment'] as const) : []).map((by) =>
      client.prefetchQuery(guardrailActivityQuery(projectId, rangeRequest(search, Date.now()), { by, guardrail: slug })),
    ),
  ]),
  component: pageOf(() => import('./guardrail-page.tsx')),
});
const newGuardrailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/new-guardrail',
  component: pageOf(() => import('./new-guardrail-page.tsx')),
});

export const routes = [guardrailsRoute, guardrailRoute, newGuardrailRoute] as const;
