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
import { readDatasetSearch, readRunSearch } from './pages/datasets/search.ts';
import { readPromptSearch } from './pages/prompt/search.ts';
import { readNewPromptSearch, readNewVersionSearch } from './pages/prompt-editor/search.ts';
import { readPromptsSearch } from './pages/prompts/search.ts';
import { readAnnotationSearch } from './pages/annotation/search.ts';
import { readEvaluationsSearch } from './pages/evaluators/evaluations-search.ts';
import { readSessionsSearch } from './pages/sessions/search.ts';
import { readAuditSearch } from './pages/settings/audit-search.ts';
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
const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets',
  component: lazyRouteComponent(() => import('./pages/datasets/datasets-page.tsx')),
});
const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId',
  validateSearch: readDatasetSearch,
  component: lazyRouteComponent(() => import('./pages/datasets/dataset-page.tsx')),
});
const datasetRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId/runs/$runId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./pages/datasets/run-page.tsx')),
});
const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts',
  validateSearch: readPromptsSearch,
  component: lazyRouteComponent(() => import('./pages/prompts/prompts-page.tsx')),
});
const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name',
  validateSearch: readPromptSearch,
  component: lazyRouteComponent(() => import('./pages/prompt/prompt-page.tsx')),
});
const newVersionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name/new-version',
  validateSearch: readNewVersionSearch,
  component: lazyRouteComponent(() => import('./pages/prompt-editor/new-version-page.tsx')),
});
const newPromptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/new-prompt',
  validateSearch: readNewPromptSearch,
  component: lazyRouteComponent(() => import('./pages/prompt-editor/new-prompt-page.tsx')),
});
const evaluatorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators',
  component: lazyRouteComponent(() => import('./pages/evaluators/evaluators-page.tsx')),
});
const newEvaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/new',
  component: lazyRouteComponent(() => import('./pages/evaluators/new-evaluator-page.tsx')),
});
const evaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/$evaluatorId',
  component: lazyRouteComponent(() => import('./pages/evaluators/evaluator-page.tsx')),
});
const evaluationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluations',
  validateSearch: readEvaluationsSearch,
  component: lazyRouteComponent(() => import('./pages/evaluators/evaluations-page.tsx')),
});
const annotationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/annotation',
  validateSearch: readAnnotationSearch,
  component: lazyRouteComponent(() => import('./pages/annotation/annotation-page.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings/$section',
  validateSearch: readAuditSearch,
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
    datasetsRoute,
    datasetRoute,
    datasetRunRoute,
    promptsRoute,
    promptRoute,
    newVersionRoute,
    newPromptRoute,
    evaluatorsRoute,
    newEvaluatorRoute,
    evaluatorRoute,
    evaluationsRoute,
    annotationRoute,
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
