import { createRoute } from '@tanstack/react-router';
import { SquarePen } from 'lucide-react';
import { promptFoldersQuery, promptsQuery } from '../../api/prompts.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readPromptsSearch } from './search.ts';
import type { PromptsSearch } from './search.ts';

const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts',
  staticData: { navigation: { group: 'Improve', title: 'Prompts', icon: SquarePen, key: 'p' } },
  validateSearch: readExactly(readPromptsSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', () => (client, projectId, { folder, tag, q }: PromptsSearch) => [
    client.prefetchInfiniteQuery(promptsQuery(projectId, { folder, tag, q })),
    client.prefetchQuery(promptFoldersQuery(projectId)),
  ]),
  component: pageOf(() => import('./prompts-page.tsx')),
});

export const routes = [promptsRoute] as const;
