import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { IngestPipeline } from '../trace-store/index.ts';

/** The stores and services that the verbs of outcomes use. */
export interface OutcomesContext {
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'accept'>;
}
