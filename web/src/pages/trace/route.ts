import { createRoute } from '@tanstack/react-router';
import { commentsQuery } from '../../api/comments.ts';
import { traceOutlineQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { readTraceSearch } from './search.ts';

const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces/$traceId',
  validateSearch: readExactly(readTraceSearch),
  loader: prefetch('heavy', ({ traceId }: ProjectPath & { traceId: string }) => (client, projectId) => [
    client.prefetchQuery(traceOutlineQuery(projectId, traceId)),
    client.prefetchQuery(commentsQuery(projectId, traceId)),
  ]),
  component: pageOf(() => import('./trace-page.tsx')),
});

export const routes = [traceRoute] as const;
