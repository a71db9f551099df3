import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Dependencies of the verbs. */
export interface ChangesContext {
  db: Database;
  clickhouse: ClickHouse;
  clock: Clock;
}
