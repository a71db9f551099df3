import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed } from '../../platform/postgres/index.ts';
import type { RepricingPort } from '../trace-store/index.ts';
import type { RepricingQueue } from './repricing/repricing-queue.ts';
import type { PricesDb } from './tables.ts';

/** Dependencies of the verbs. */
export interface PricesContext {
  db: PricesDb;
  clock: Clock;
  changeFeed: ChangeFeed;
  queue: RepricingQueue;
  repricing: RepricingPort;
  /** Runs what was queued, soon. */
  wake(): void;
}
