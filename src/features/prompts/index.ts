import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import { PromptCache } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import type { PromptsDb } from './tables.ts';

export type { PromptsContext } from './prompts-context.ts';
export { promptRoutes } from './routes.ts';

/** What the verbs of prompts work with. Close its cache when no more requests come. */
export function promptsContext(
  { db, notifications }: Pick<Postgres, 'db' | 'notifications'>,
  clickhouse: ClickHouse,
  clock: Clock,
): PromptsContext {
  return { db: db as unknown as PromptsDb, notifications, clickhouse, clock, cache: new PromptCache(notifications) };
}
