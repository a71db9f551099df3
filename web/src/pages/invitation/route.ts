import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite/$token',
  component: pageOf(() => import('./invitation-page.tsx')),
});

export const routes = [invitationRoute] as const;
