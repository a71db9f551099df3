import { createRoute } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readAuditSearch } from './audit-search.ts';

const allSettingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  staticData: { navigation: { title: 'Settings', icon: Settings, key: ',' } },
  component: pageOf(() => import('./first-section.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings/$section',
  validateSearch: readExactly(readAuditSearch),
  component: pageOf(() => import('./settings-page.tsx')),
});

export const routes = [allSettingsRoute, settingsRoute] as const;
