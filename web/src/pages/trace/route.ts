import { createRoute } from '@tanstack/react-router';
import { commentsQuery } from '../../api/comments.ts';
import { traceOutlineQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute, rootRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';
import { readExactly } from '../../search-text.ts';
import { readSharedSearch, readTraceSearch } from './search.ts';

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

/** A trace that a link shows to people without an account. */
const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/share/$token',
  validateSearch: readExactly(readSharedSearch),
  component: pageOf(() => import('./shared-page.tsx')),
});

export const routes = [traceRoute] as const;
/** Outside of a project. */
export const sharedRoutes = [sharedRoute] as const;
