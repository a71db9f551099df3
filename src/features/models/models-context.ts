import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { HourStates } from './hour-states.ts';

/** The stores and the clock that the verbs of models use. */
export interface ModelsContext {
  clickhouse: ClickHouse;
  hourStates: HourStates;
  clock: Clock;
}
