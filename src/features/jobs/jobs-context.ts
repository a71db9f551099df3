import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { JobQueue } from './job-queue.ts';
import type { AnyJobType } from './job-type.ts';

export interface JobsContext {
  db: Database;
  clock: Clock;
  queue: JobQueue;
  types: ReadonlyMap<string, AnyJobType>;
  /** Looks for due jobs at once. */
  wake(): void;
}
