import { createRoute } from '@tanstack/react-router';
import { sessionDetailQuery } from '../../api/traces.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';

const sessionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions/$sessionId',
  loader: prefetch('heavy', ({ sessionId }: ProjectPath & { sessionId: string }) => (client, projectId) => [
    client.prefetchQuery(sessionDetailQuery(projectId, sessionId)),
  ]),
  component: pageOf(() => import('./session-page.tsx')),
});

export const routes = [sessionRoute] as const;
