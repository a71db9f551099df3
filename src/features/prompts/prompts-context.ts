import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Notifications } from '../../platform/postgres/index.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { PromptsDb } from './tables.ts';

/** What the verbs of prompts work with. */
export interface PromptsContext {
  db: PromptsDb;
  notifications: Notifications;
  clickhouse: ClickHouse;
  clock: Clock;
  cache: PromptCache;
}
