import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { ChangesDb } from './tables.ts';

/** Dependencies of the verbs. */
export interface ChangesContext {
  db: ChangesDb;
  clickhouse: ClickHouse;
  clock: Clock;
}
