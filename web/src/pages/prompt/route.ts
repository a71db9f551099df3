import { createRoute } from '@tanstack/react-router';
import { promptMetricsQuery, promptVersionsQuery } from '../../api/prompts.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { rangeRequest } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readPromptSearch } from './search.ts';
import type { PromptSearch } from './search.ts';

const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name',
  validateSearch: readExactly(readPromptSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', ({ name }: ProjectPath & { name: string }) => (client, projectId, search: PromptSearch) => [
    client.prefetchInfiniteQuery(promptVersionsQuery(projectId, name)),
    ...(search.view === 'metrics'
      ? [client.prefetchQuery(promptMetricsQuery(projectId, name, rangeRequest(search, Date.now())))]
      : []),
  ]),
  component: pageOf(() => import('./prompt-page.tsx')),
});

export const routes = [promptRoute] as const;
