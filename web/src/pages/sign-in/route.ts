import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Only local paths, to prevent open redirects.
  validateSearch: readExactly(({ next }): { next?: string | undefined } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  ),
  component: pageOf(() => import('./sign-in-page.tsx')),
});

export const routes = [signInRoute] as const;
