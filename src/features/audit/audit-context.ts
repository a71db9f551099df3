import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** What the verbs of the audit log work with. */
export interface AuditContext {
  db: Database;
  clock: Clock;
}
