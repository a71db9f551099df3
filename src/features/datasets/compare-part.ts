import type { Tenant } from '../../platform/http/index.ts';
import { twoRuns } from './compare-runs.ts';
import { comparedItems, comparedJson } from './compared-items.ts';
import { getDataset } from './datasets.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { EvaluatorDeltas } from './evaluator-deltas.ts';
import type { PairedInterval } from './paired-bootstrap.ts';

/** Some items of a comparison of two runs. */
export interface ComparePart<T> {
  items: Array<{ place: number; value: T }>;
  /** Whether there are items after them. */
  more: boolean;
  /** As in the whole comparison. */
  byEvaluator: Array<{ evaluator: string } & PairedInterval>;
}

export interface PartOptions<T> {
  /** A place; 0 for the first items. */
  after: number;
  count: number;
  /** Whether the differences by evaluator are worked out, for which all items are read; `after` is 0 then. */
  withEvaluators: boolean;
  valueOf: (json: string) => T;
}

/**
 * The items of a comparison after a place, up to `count` (docs/semantics.md, "Run comparison"), and the differences by evaluator.
 *
 * @param options `valueOf` converts the JSON text of an item, so that long payloads are not kept
 *
 * Errors: `not_found` for a dataset that is not of the project, and for a run that is not of the dataset.
 */
export async function comparePart<T>(
  context: DatasetsContext,
  tenant: Tenant,
  { datasetId, runs }: { datasetId: string; runs: string },
  { after, count, withEvaluators, valueOf }: PartOptions<T>,
): Promise<ComparePart<T>> {
  await getDataset(context, tenant.projectId, datasetId);
  const two = await twoRuns(context, datasetId, runs);
  const deltas = withEvaluators ? new EvaluatorDeltas(two) : null;
  const items: ComparePart<T>['items'] = [];
  let more = false;
  for await (const group of comparedItems(context, tenant, two, after)) {
    for (const item of group) {
      deltas?.add(item);
      if (items.length < count) items.push({ place: item.place, value: valueOf(comparedJson(item)) });
      else more = true;
    }
    if (more && !deltas) break;
  }
  return { items, more, byEvaluator: (await deltas?.intervals()) ?? [] };
}
