import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { HourStates } from './hour-states.ts';

/** What the verbs of models work with. */
export interface ModelsContext {
  clickhouse: ClickHouse;
  hourStates: HourStates;
  clock: Clock;
}
