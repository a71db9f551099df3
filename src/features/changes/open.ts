import type { ChangeRecord } from '../../contract/changes.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ChangesContext } from './changes-context.ts';
import { changesBetween } from './list-changes.ts';
import { changeRoutes } from './routes.ts';

export interface ChangesFeature extends Feature {
  context: ChangesContext;
  /** The changes of a project between two times (epoch milliseconds, inclusive), newest first; at most `limit`. */
  changesBetween(projectId: string, fromMs: number, toMs: number, limit: number): Promise<ChangeRecord[]>;
}

/** Changes of what a project runs. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): ChangesFeature {
  const context: ChangesContext = { db: postgres.db, clickhouse, clock };
  return {
    context,
    changesBetween: (projectId, fromMs, toMs, limit) => changesBetween(context, projectId, { fromMs, toMs, limit }),
    routes: (server) => changeRoutes(server, context),
  };
}
