import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed, Database } from '../../platform/postgres/index.ts';
import type { RepricingPort } from '../trace-store/index.ts';
import type { RepricingQueue } from './repricing/repricing-queue.ts';

/** Dependencies of the verbs. */
export interface PricesContext {
  db: Database;
  clock: Clock;
  changeFeed: ChangeFeed;
  queue: RepricingQueue;
  repricing: RepricingPort;
  /** Runs what was queued, soon. */
  wake(): void;
}
