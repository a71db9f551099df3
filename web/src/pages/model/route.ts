import { createRoute } from '@tanstack/react-router';
import { changesQuery } from '../../api/changes.ts';
import { findingsQuery } from '../../api/model-lifecycle.ts';
import { modelQuery } from '../../api/models.ts';
import { outcomeSummaryQuery } from '../../api/outcomes.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { figuresRequest, rangeRequest, timelineRequest } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { readExactly } from '../../search-text.ts';
import { readModelSearch } from './search.ts';

const modelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models/$model',
  validateSearch: readExactly(readModelSearch),
  loaderDeps: ({ search }) => search,
  loader: prefetch('light', ({ model }: ProjectPath & { model: string }) => (client, projectId, search: FiguresSearch) => [
    client.prefetchQuery(modelQuery(projectId, model, timelineRequest(search, Date.now()))),
    client.prefetchQuery(outcomeSummaryQuery(projectId, figuresRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
    client.prefetchQuery(findingsQuery(projectId)),
  ]),
  component: pageOf(() => import('./model-page.tsx')),
});

export const routes = [modelRoute] as const;
