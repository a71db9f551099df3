import type { Clock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Dependencies of the audit log's verbs. */
export interface AuditContext {
  db: Database;
  clock: Clock;
}
