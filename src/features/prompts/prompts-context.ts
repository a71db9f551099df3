import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed } from '../../platform/postgres/index.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { PromptsDb } from './tables.ts';

/** Dependencies of the prompt functions. */
export interface PromptsContext {
  db: PromptsDb;
  changeFeed: ChangeFeed;
  clickhouse: ClickHouse;
  clock: Clock;
  cache: PromptCache;
}
