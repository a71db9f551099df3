import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { DatasetsDb } from './tables.ts';

/**
 * Told of run items in the transaction that stores them, so that their evaluation is queued exactly when they are there.
 *
 * @param runItemIds at most 1000
 */
export type RunItemsHook = (
  transaction: Database,
  tenant: { organizationId: string; projectId: string },
  runItemIds: string[],
) => Promise<void>;

/** What the verbs of datasets work with. */
export interface DatasetsContext {
  db: DatasetsDb;
  clock: Clock;
  clickhouse: ClickHouse;
  /** For the rows of an import that is still being read. */
  temporaryDirectory: string;
  onRunItemsAdded: RunItemsHook;
}

/** Now, as the database takes it. */
export function nowOf(context: Pick<DatasetsContext, 'clock'>): Date {
  return new Date(context.clock.now());
}
