import type { Readable } from 'node:stream';
import type { Tenant } from '../../platform/http/index.ts';
import { jsonList } from '../../platform/json/index.ts';
import { comparedItems, comparedJson } from './compared-items.ts';
import type { TwoRuns } from './compared-items.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { EvaluatorDeltas } from './evaluator-deltas.ts';
import { getRun } from './runs.ts';

/**
 * Compares two runs of a dataset (docs/semantics.md, "Run comparison"), as a stream of JSON text: every item of either run in the order of
 * the dataset, and for every evaluator the mean of b - a over the items that it scored in both, with a 95 % interval from a paired
 * bootstrap. The interval is deterministic, and mirrored when the runs are exchanged.
 *
 * @param runs the ids of a and b, separated by a comma
 *
 * Errors: `not_found` for a run that is not of the dataset.
 */
export async function compareRuns(context: DatasetsContext, tenant: Tenant, datasetId: string, runs: string): Promise<Readable> {
  const two = await twoRuns(context, datasetId, runs);
  const deltas = new EvaluatorDeltas(two);
  const groups = (async function* () {
    for await (const items of comparedItems(context, tenant, two)) {
      for (const item of items) deltas.add(item);
      yield items.map(comparedJson);
    }
  })();
  return jsonList('{"items":[', groups, async () => `],"byEvaluator":${JSON.stringify(await deltas.intervals())}}`);
}

/** The ids of two runs as the database has them. Errors: `not_found` for a run that is not of the dataset. */
export async function twoRuns(context: DatasetsContext, datasetId: string, runs: string): Promise<TwoRuns> {
  const [first = '', second = ''] = runs.split(',');
  const a = await getRun(context, datasetId, first);
  const b = await getRun(context, datasetId, second);
  return { datasetId, a: a.id, b: b.id };
}
