import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { deferred } from './design/deferred.tsx';
import { Empty, PageSkeleton } from './design/states.tsx';
import { PageFailure } from './frame/page-failure.tsx';
import { OutsidePage, ToProjects } from './frame/outside-page.tsx';
import { projectRoute, rootRoute } from './frame/root-routes.tsx';
import type { TracePeekProps } from './frame/trace-peek.ts';
import { outsidePages, projectPages } from './page-list.ts';
import { parseSearch, stringifySearch } from './search-text.ts';

const routeTree = rootRoute.addChildren([...outsidePages, projectRoute.addChildren([...projectPages])]);

const TracePeek = deferred<TracePeekProps>(() => import('./pages/trace/trace-peek.tsx'));

/** The dashboard's router. The code of each page is loaded on first use. */
export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client, TracePeek },
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
