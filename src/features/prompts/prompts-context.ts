import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed, Database } from '../../platform/postgres/index.ts';
import type { PromptCache } from './prompt-cache.ts';

/** Dependencies of the prompt functions. */
export interface PromptsContext {
  db: Database;
  changeFeed: ChangeFeed;
  clickhouse: ClickHouse;
  clock: Clock;
  cache: PromptCache;
}
