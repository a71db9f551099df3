import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { Turns } from '../../platform/budgets/index.ts';
import type { HourStates } from '../figures/index.ts';
import type { RecordRows, RowsAsked } from '../traces/index.ts';
import type { Views } from '../views/index.ts';

/** What the queries of metrics use. */
export interface MetricsContext {
  clickhouse: ClickHouse;
  clock: Clock;
  hourStates: HourStates;
  views: Views;
  /** By project. */
  turns: Turns;
  /** See `recordRows` of the feature traces. */
  recordRows(tenant: Pick<Tenant, 'projectId' | 'plan'>, asked: RowsAsked): Promise<RecordRows>;
}
