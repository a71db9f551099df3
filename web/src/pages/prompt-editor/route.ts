import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../frame/root-routes.tsx';
import { pageOf } from '../../page-of.ts';
import { readExactly } from '../../search-text.ts';
import { readNewPromptSearch, readNewVersionSearch } from './search.ts';

const newVersionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/prompts/$name/new-version',
  validateSearch: readExactly(readNewVersionSearch),
  component: pageOf(() => import('./new-version-page.tsx')),
});
const newPromptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/new-prompt',
  validateSearch: readExactly(readNewPromptSearch),
  component: pageOf(() => import('./new-prompt-page.tsx')),
});

export const routes = [newVersionRoute, newPromptRoute] as const;
