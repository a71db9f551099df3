import type { BatchItemChange, BatchItemStatus } from '../../api/parts.ts';
import type { BatchRun } from '../../api/service.ts';
import { given, textOf } from '../../search-values.ts';
import { batchRunStatuses } from '../../../../src/contract/kinds.ts';

/** The statuses of items, in the order of the filter. */
export const itemStatuses: readonly BatchItemStatus[] = ['passed', 'failed', 'error', 'pending', 'cancelled'];

/** The changes of items, in the order of the filter. */
export const itemChanges: readonly BatchItemChange[] = ['newly_failing', 'regressed', 'improved', 'unchanged'];

/** The search parameters of the list. */
export interface SimulationsSearch {
  /** The scenarios by default. */
  tab?: 'runs' | undefined;
  /** Batch runs of this scenario only. */
  scenario?: string | undefined;
  /** Batch runs of this status only. */
  status?: BatchRun['status'] | undefined;
  /** Batch runs with this in the label or the scenario's name. */
  q?: string | undefined;
}

/** The search parameters of a batch run. */
export interface BatchRunSearch {
  /** Items of this status only. */
  status?: BatchItemStatus | undefined;
  /** The batch run that items are compared with. */
  baseline?: string | undefined;
  /** Items that changed in this way only. */
  change?: BatchItemChange | undefined;
  /** The opened item: its id and repetition, as `{id}.{repetition}`. */
  item?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readSimulationsSearch(search: Record<string, unknown>): SimulationsSearch {
  if (search['tab'] !== 'runs') return {};
  return given({
    tab: 'runs' as const,
    scenario: textOf(search['scenario']),
    status: batchRunStatuses.find((one) => one === search['status']),
    q: textOf(search['q']),
  });
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readBatchRunSearch(search: Record<string, unknown>): BatchRunSearch {
  const baseline = textOf(search['baseline']);
  return given({
    status: itemStatuses.find((one) => one === search['status']),
    baseline,
    change: baseline === undefined ? undefined : itemChanges.find((one) => one === search['change']),
    item: textOf(search['item']),
  });
}
