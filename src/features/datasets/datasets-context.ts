import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { ItemTexts } from './item-texts.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/**
 * Called in the transaction that stores run items, so that their evaluation is queued if and only if they are stored.
 *
 * @param runItemIds at most 1000
 */
export type RunItemsHook = (
  transaction: Transaction,
  tenant: { organizationId: string; projectId: string },
  runItemIds: string[],
) => Promise<void>;

/** Names of scenarios that use a dataset, which cannot be deleted then. Implemented by features/simulations. */
export type ScenariosOfDataset = (transaction: Transaction, datasetId: string) => Promise<string[]>;

/** Removes what batch runs keep of items of a dataset that are being deleted. Implemented by features/simulations. */
export type BlankItems = (transaction: Transaction, datasetId: string, itemIds: readonly string[]) => Promise<void>;

/** Dependencies of the dataset functions. */
export interface DatasetsContext {
  db: Database;
  clock: Clock;
  clickhouse: ClickHouse;
  /** Directory for the rows of running imports. */
  temporaryDirectory: string;
  onRunItemsAdded: RunItemsHook;
  scenariosOfDataset: ScenariosOfDataset;
  blankItems: BlankItems;
  itemTexts: ItemTexts;
}

/** The current time as a database parameter. */
export function nowOf(context: Pick<DatasetsContext, 'clock'>): Date {
  return new Date(context.clock.now());
}
