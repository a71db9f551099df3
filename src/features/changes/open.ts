import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ChangesContext } from './changes-context.ts';
import { changeRoutes } from './routes.ts';

/** Changes of what a project runs. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): Feature {
  const context: ChangesContext = { db: postgres.db as unknown as ChangesContext['db'], clickhouse, clock };
  return { routes: (server) => changeRoutes(server, context) };
}
