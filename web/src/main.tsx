import { QueryClientProvider } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { serviceAnswers } from './api/client.ts';
import { createQueryClient } from './api/query-client.ts';
import { sessionKey } from './api/session.ts';
import { applyStoredTheme } from './design/theme.ts';
import { ToastProvider } from './design/toast.tsx';
import { TooltipProvider } from './design/tooltip.tsx';
import { sessionHasEnded } from './frame/session-ended.tsx';
import { createDashboardRouter } from './router.tsx';
import './theme.css';

applyStoredTheme();
reloadOnceWhenOutdated();
const client: QueryClient = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (client.getQueryData(sessionKey) !== undefined) sessionHasEnded(true);
  // The page of an invitation says itself who must sign in; a shared trace needs nobody.
  else if (pathname !== '/sign-in' && !pathname.startsWith('/invite/') && !pathname.startsWith('/share/'))
    void router.navigate({ to: '/sign-in', search: { next: href }, replace: true });
});
const router = createDashboardRouter(client);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);

/** Reloads if a module is missing because the dashboard was rebuilt. At most once a minute, to avoid a reload loop. */
function reloadOnceWhenOutdated(): void {
  const stored = 'spanwise-reloaded';
  const minIntervalMs = 60_000;
  globalThis.addEventListener('vite:preloadError', () => {
    if (Date.now() - Number(sessionStorage.getItem(stored)) < minIntervalMs) return;
    void serviceAnswers().then((answers) => {
      if (!answers) return;
      sessionStorage.setItem(stored, String(Date.now()));
      location.reload();
    });
  });
}
