import type { ChangeRecord } from '../../contract/changes.ts';
import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { HourStates } from '../figures/index.ts';

/** What the feature needs of others. */
export interface GraphPorts {
  hourStates: HourStates;
  /** The changes of a project between two times (epoch milliseconds, inclusive), newest first; at most `limit`. */
  changesBetween(projectId: string, fromMs: number, toMs: number, limit: number): Promise<ChangeRecord[]>;
  /**
   * The number of outcomes of some traces.
   *
   * @param reader of the traces' project
   * @param tracesSql a SELECT of their `trace_id`
   * @param parameters of that SELECT
   */
  outcomesOfTraces(reader: TenantReader, tracesSql: string, parameters: Readonly<Record<string, unknown>>): Promise<number>;
}

/** The stores, the clock and the ports that the verbs use. */
export interface GraphContext extends GraphPorts {
  clickhouse: ClickHouse;
  clock: Clock;
}
