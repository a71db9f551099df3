import { createRoute } from '@tanstack/react-router';
import { ClipboardCheck } from 'lucide-react';
import { packQuery, packsQuery } from '../../api/evidence-packs.ts';
import { prefetch } from '../../frame/prefetch.ts';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import type { ProjectPath } from '../../paths.ts';

const complianceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/compliance',
  staticData: { navigation: { group: 'Govern', title: 'Compliance', icon: ClipboardCheck, key: 'k' } },
  loader: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(packsQuery(projectId))]),
  component: pageOf(() => import('./compliance-page.tsx')),
});
const evidencePackRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/compliance/$packId',
  loader: prefetch('heavy', ({ packId }: ProjectPath & { packId: string }) => (client, projectId) => [
    client.prefetchQuery(packQuery(projectId, packId)),
  ]),
  component: pageOf(() => import('./pack-page.tsx')),
});

export const routes = [complianceRoute, evidencePackRoute] as const;
