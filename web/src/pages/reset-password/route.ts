import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset/$token',
  component: pageOf(() => import('./reset-password-page.tsx')),
});

export const routes = [resetRoute] as const;
