import type { Feature } from '../../platform/feature/index.ts';
import { dashboardRoutes } from './routes.ts';

/** The built dashboard. @param folder output of `npm run build` */
export function open({ folder }: { folder: string }): Feature {
  return { routes: (server) => dashboardRoutes(server, folder) };
}
