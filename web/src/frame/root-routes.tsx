import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ApiError } from '../api/client.ts';
import { sessionKey, sessionQuery } from '../api/session.ts';
import { Empty } from '../design/states.tsx';
import { Frame } from './frame.tsx';
import { ToOverview } from './outside-page.tsx';
import { Page } from './page.tsx';
import type { TracePeekProps } from './trace-peek.ts';
import { pages } from '../paths.ts';

interface RouterContext {
  client: QueryClient;
  /** A trace in the panel beside a list: a part of the page of a trace, which other pages do not know. */
  TracePeek: ComponentType<TracePeekProps>;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

interface Opening {
  context: Pick<RouterContext, 'client'>;
  location: { href: string };
  /** The page is loaded in advance, and the present one stays. */
  preload: boolean;
}

/** The current session. Without one, redirects to the sign-in page, which leads back. */
export async function requireSession({ context: { client }, location: { href }, preload }: Opening) {
  // A refused write says that the role may have changed.
  if (!preload && client.getQueryState(sessionKey)?.isInvalidated === true) void client.prefetchQuery(sessionQuery);
  try {
    return await client.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw redirect({ ...pages.signIn(), search: href === '/' ? {} : { next: href } });
    throw error;
  }
}

/** The parent of every page of a project. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$org/p/$project',
  beforeLoad: async (opening) => {
    await requireSession(opening);
  },
  component: Frame,
  notFoundComponent: () => (
    <Page title="Page not found">
      <Empty title="Page not found" action={<ToOverview />} />
    </Page>
  ),
});
