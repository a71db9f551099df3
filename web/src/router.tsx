import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/client.ts';
import { sessionQuery } from './api/session.ts';
import { Empty, Failure, PageSkeleton } from './design/states.tsx';
import { Frame } from './frame/frame.tsx';
import { firstProject } from './frame/last-project.ts';
import { readSessionsSearch } from './pages/sessions/search.ts';
import { readTraceSearch } from './pages/trace/search.ts';
import { readTracesSearch } from './pages/traces/search.ts';
import { pages } from './paths.ts';
import { readRange } from './range.ts';
import { parseSearch, stringifySearch } from './search-text.ts';

interface RouterContext {
  client: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** Who is signed in; leads to the sign-in page, and back again, when nobody is. */
async function requireSession({ client }: RouterContext, href: string) {
  try {
    return await client.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw redirect({ ...pages.signIn(), search: href === '/' ? {} : { next: href } });
    throw error;
  }
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Only a path of this service: a link must not lead a visitor elsewhere once they have signed in.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx')),
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const first = firstProject(await requireSession(context, location.href));
    if (first) throw redirect(pages.overview(first));
  },
  component: () => <Empty title="You have no project yet">Ask an owner or admin to add you to an organization.</Empty>,
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$org/p/$project',
  beforeLoad: async ({ context, location }) => {
    await requireSession(context, location.href);
  },
  component: Frame,
});

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx')),
});
const startRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx')),
});
const tracesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces',
  validateSearch: readTracesSearch,
  component: lazyRouteComponent(() => import('./pages/traces/traces-page.tsx')),
});
const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces/$traceId',
  validateSearch: readTraceSearch,
  component: lazyRouteComponent(() => import('./pages/trace/trace-page.tsx')),
});
const sessionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions',
  validateSearch: readSessionsSearch,
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page.tsx')),
});
const sessionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions/$sessionId',
  component: lazyRouteComponent(() => import('./pages/session/session-page.tsx')),
});
const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/models/models-page.tsx')),
});
const modelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models/$model',
  validateSearch: readRange,
  component: lazyRouteComponent(() => import('./pages/model/model-page.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings/$section',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx')),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  homeRoute,
  projectRoute.addChildren([
    overviewRoute,
    startRoute,
    tracesRoute,
    traceRoute,
    sessionsRoute,
    sessionRoute,
    modelsRoute,
    modelRoute,
    settingsRoute,
  ]),
]);

/** The dashboard's router: every page is loaded when it is first opened. */
export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultPendingComponent: () => (
      <div className="p-4">
        <PageSkeleton />
      </div>
    ),
    defaultErrorComponent: ({ error }) => <Failure error={error} onRetry={() => location.reload()} />,
    defaultNotFoundComponent: () => <Empty title="There is no such page">Use the sidebar, or Ctrl K.</Empty>,
  });
}
