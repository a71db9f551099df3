import { createRoute, redirect } from '@tanstack/react-router';
import { firstProject } from '../../frame/last-project.ts';
import { requireSession, rootRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { pages } from '../../paths.ts';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async (opening) => {
    const first = firstProject(await requireSession(opening));
    if (first) throw redirect(pages.overview(first));
  },
  component: pageOf(() => import('./home-page.tsx')),
});

export const routes = [homeRoute] as const;
