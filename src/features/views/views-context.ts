import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Dependencies of the verbs. */
export interface ViewsContext {
  db: Database;
  clock: Clock;
}
