import type { Feature, Platform } from '../../platform/feature/index.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import type { OutcomesContext } from './outcomes-context.ts';
import { outcomeRate, outcomeRoutes } from './routes.ts';

/** Business outcomes of traces: their endpoint, and their figures. */
export function open(
  platform: Pick<Platform, 'clickhouse' | 'clock' | 'buckets' | 'log'>,
  { pipeline }: Pick<OutcomesContext, 'pipeline'>,
): Feature {
  const { clickhouse, clock } = platform;
  const buckets = openRateLimit(platform, outcomeRate, 'outcomes');
  return { routes: (server) => outcomeRoutes(server, { clickhouse, clock, pipeline }, buckets) };
}
