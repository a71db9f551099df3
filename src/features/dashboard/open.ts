import type { Feature } from '../../platform/feature/index.ts';
import { dashboardRoutes } from './routes.ts';

/**
 * The built dashboard.
 *
 * @param folder output of `npm run build`
 * @param isShown whether a shared link shows a trace; given the last segment of the link
 */
export function open({ folder, isShown }: { folder: string; isShown(token: string): Promise<boolean> }): Feature {
  return { routes: (server) => dashboardRoutes(server, folder, isShown) };
}
