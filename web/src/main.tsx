import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { applyStoredTheme } from './design/theme.ts';
import { ToastProvider } from './design/toast.tsx';
import { createDashboardRouter } from './router.tsx';
import './theme.css';

applyStoredTheme();
const client = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href } });
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
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
