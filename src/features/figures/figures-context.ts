import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { HourStates } from './hour-states.ts';

/** What a read of figures needs: the rows and rollups, the state of each hour, and the clock that ends a range. */
export interface FiguresContext {
  clickhouse: ClickHouse;
  hourStates: HourStates;
  clock: Clock;
}
