import type { Feature, Platform } from '../../platform/feature/index.ts';
import { scoreRoutes } from './routes.ts';
import type { ScoresContext } from './scores-context.ts';

/** Lists, changes, deletes and sums up stored scores. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { pipeline }: Pick<ScoresContext, 'pipeline'>,
): Feature {
  return { routes: (server) => scoreRoutes(server, { db: postgres.db, clickhouse, clock, pipeline }) };
}
