import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import {
  Activity,
  Boxes,
  Database,
  Gauge,
  LayoutDashboard,
  ListChecks,
  ListTree,
  MessagesSquare,
  PenLine,
  ScanSearch,
  Settings,
  SquarePen,
  Target,
} from 'lucide-react';
import { Empty, PageSkeleton } from './design/states.tsx';
import { PageFailure } from './frame/page-failure.tsx';
import { OutsidePage, ToProjects } from './frame/outside-page.tsx';
import { pageData } from './page-data.ts';
import { readDatasetSearch, readRunSearch } from './pages/datasets/search.ts';
import { readOutcomesSearch } from './pages/outcomes/search.ts';
import { readPromptSearch } from './pages/prompt/search.ts';
import { readNewPromptSearch, readNewVersionSearch } from './pages/prompt-editor/search.ts';
import { readPromptsSearch } from './pages/prompts/search.ts';
import { readAnnotationSearch } from './pages/annotation/search.ts';
import { readEvaluationsSearch } from './pages/evaluators/evaluations-search.ts';
import { readMappingSearch } from './pages/mapping/search.ts';
import { readModelSearch } from './pages/model/search.ts';
import { readModelsSearch } from './pages/models/search.ts';
import { readOverviewSearch } from './pages/overview/search.ts';
import { readSessionsSearch } from './pages/sessions/search.ts';
import { readAuditSearch } from './pages/settings/audit-search.ts';
import { readStartSearch } from './pages/start/search.ts';
import { readTraceSearch } from './pages/trace/search.ts';
import { readTracesSearch } from './pages/traces/search.ts';
import { operationsRoutes } from './operations-routes.ts';
import { pageOf } from './page-of.ts';
import { homeRoute, projectRoute, rootRoute, signInRoute } from './root-routes.tsx';
import { parseSearch, readExactly, stringifySearch } from './search-text.ts';

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  staticData: { navigation: { title: 'Overview', icon: LayoutDashboard, key: 'o' } },
  validateSearch: readExactly(readOverviewSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.overview,
  component: pageOf(() => import('./pages/overview/overview-page.tsx')),
});
const startRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/start',
  staticData: { navigation: { title: 'Send data', icon: Activity, aside: true } },
  validateSearch: readExactly(readStartSearch),
  component: pageOf(() => import('./pages/start/start-page.tsx')),
});
const mappingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/mapping',
  staticData: { navigation: { title: 'Mapping inspector', icon: ScanSearch, aside: true } },
  validateSearch: readExactly(readMappingSearch),
  component: pageOf(() => import('./pages/mapping/mapping-page.tsx')),
});
const tracesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces',
  staticData: { navigation: { title: 'Traces', icon: ListTree, key: 't' } },
  validateSearch: readExactly(readTracesSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.traces,
  component: pageOf(() => import('./pages/traces/traces-page.tsx')),
});
const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/traces/$traceId',
  validateSearch: readExactly(readTraceSearch),
  loader: pageData.trace,
  component: pageOf(() => import('./pages/trace/trace-page.tsx')),
});
const sessionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions',
  staticData: { navigation: { title: 'Sessions', icon: MessagesSquare, key: 's' } },
  validateSearch: readExactly(readSessionsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.sessions,
  component: pageOf(() => import('./pages/sessions/sessions-page.tsx')),
});
const sessionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/sessions/$sessionId',
  loader: pageData.session,
  component: pageOf(() => import('./pages/session/session-page.tsx')),
});
const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models',
  staticData: { navigation: { title: 'Models', icon: Boxes, key: 'm' } },
  validateSearch: readExactly(readModelsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.models,
  component: pageOf(() => import('./pages/models/models-page.tsx')),
});
const modelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models/$model',
  validateSearch: readExactly(readModelSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.model,
  component: pageOf(() => import('./pages/model/model-page.tsx')),
});
const outcomesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/outcomes',
  staticData: { navigation: { title: 'Outcomes', icon: Target, key: 'w' } },
  validateSearch: readExactly(readOutcomesSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.outcomes,
  component: pageOf(() => import('./pages/outcomes/outcomes-page.tsx')),
});
const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets',
  staticData: { navigation: { title: 'Datasets', icon: Database, key: 'd' } },
  loader: pageData.datasets,
  component: pageOf(() => import('./pages/datasets/datasets-page.tsx')),
});
const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId',
  validateSearch: readExactly(readDatasetSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.dataset,
  component: pageOf(() => import('./pages/datasets/dataset-page.tsx')),
});
const datasetRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/datasets/$datasetId/runs/$runId',
  validateSearch: readExactly(readRunSearch),
  loader: pageData.datasetRun,
  component: pageOf(() => import('./pages/datasets/run-page.tsx')),
});
const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts',
  staticData: { navigation: { title: 'Prompts', icon: SquarePen, key: 'p' } },
  validateSearch: readExactly(readPromptsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.prompts,
  component: pageOf(() => import('./pages/prompts/prompts-page.tsx')),
});
const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name',
  validateSearch: readExactly(readPromptSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.prompt,
  component: pageOf(() => import('./pages/prompt/prompt-page.tsx')),
});
const newVersionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name/new-version',
  validateSearch: readExactly(readNewVersionSearch),
  component: pageOf(() => import('./pages/prompt-editor/new-version-page.tsx')),
});
const newPromptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/new-prompt',
  validateSearch: readExactly(readNewPromptSearch),
  component: pageOf(() => import('./pages/prompt-editor/new-prompt-page.tsx')),
});
const evaluatorsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators',
  staticData: { navigation: { title: 'Evaluators', icon: Gauge, key: 'e' } },
  loader: pageData.evaluators,
  component: pageOf(() => import('./pages/evaluators/evaluators-page.tsx')),
});
const newEvaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/new',
  component: pageOf(() => import('./pages/evaluators/new-evaluator-page.tsx')),
});
const evaluatorRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluators/$evaluatorId',
  loader: pageData.evaluator,
  component: pageOf(() => import('./pages/evaluators/evaluator-page.tsx')),
});
const evaluationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/evaluations',
  staticData: { navigation: { title: 'Evaluations', icon: ListChecks, key: 'r' } },
  validateSearch: readExactly(readEvaluationsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.evaluations,
  component: pageOf(() => import('./pages/evaluators/evaluations-page.tsx')),
});
const annotationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/annotation',
  staticData: { navigation: { title: 'Annotation', icon: PenLine, key: 'a' } },
  validateSearch: readExactly(readAnnotationSearch),
  component: pageOf(() => import('./pages/annotation/annotation-page.tsx')),
});
const allSettingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  staticData: { navigation: { title: 'Settings', icon: Settings, key: ',' } },
  component: pageOf(() => import('./pages/settings/first-section.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings/$section',
  validateSearch: readExactly(readAuditSearch),
  component: pageOf(() => import('./pages/settings/settings-page.tsx')),
});

// The sidebar and the command palette list pages in this order.
const routeTree = rootRoute.addChildren([
  signInRoute,
  homeRoute,
  projectRoute.addChildren([
    overviewRoute,
    tracesRoute,
    traceRoute,
    sessionsRoute,
    sessionRoute,
    modelsRoute,
    modelRoute,
    outcomesRoute,
    promptsRoute,
    promptRoute,
    newVersionRoute,
    newPromptRoute,
    datasetsRoute,
    datasetRoute,
    datasetRunRoute,
    evaluatorsRoute,
    newEvaluatorRoute,
    evaluatorRoute,
    evaluationsRoute,
    annotationRoute,
    ...operationsRoutes,
    startRoute,
    mappingRoute,
    allSettingsRoute,
    settingsRoute,
  ]),
]);

/** The dashboard's router. The code of each page is loaded on first use. */
export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Caching and freshness are handled by the query client only.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    // Show cached pages without a delay.
    defaultPendingMinMs: 0,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultPendingComponent: () => (
      <div className="p-4">
        <PageSkeleton />
      </div>
    ),
    defaultErrorComponent: ({ error }) => <PageFailure error={error} />,
    defaultNotFoundComponent: () => (
      <OutsidePage title="Page not found">
        <Empty title="Page not found" action={<ToProjects />} />
      </OutsidePage>
    ),
  });
}
