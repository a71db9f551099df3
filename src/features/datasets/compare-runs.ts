import { sql } from 'kysely';
import type { Readable } from 'node:stream';
import type { RunScore } from '../../contract/datasets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { jsonStream } from './json-stream.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';
import type { PairedInterval } from './paired-bootstrap.ts';
import { outcomeMembers } from './run-items.ts';
import { readViews } from './run-item-views.ts';
import type { RunItemHeader, RunItemView } from './run-item-views.ts';
import { getRun } from './runs.ts';
import { withMembers } from './stored-json.ts';

/** Items in one query. */
const page = 500;

interface Pair {
  itemId: string;
  a: RunItemHeader | null;
  b: RunItemHeader | null;
}

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
  const [first = '', second = ''] = runs.split(',');
  const a = await getRun(context, datasetId, first);
  const b = await getRun(context, datasetId, second);
  const seed = [a.id, b.id].toSorted().join();
  return jsonStream(
    (async function* () {
      const deltas = new Map<string, number[]>();
      let separator = '{"items":[';
      for await (const pairs of pairsOf(context, datasetId, a.id, b.id)) {
        for await (const { entries, views } of readViews(context, tenant, pairs, sidesOf)) {
          const texts = entries.flatMap((pair) => {
            const left = pair.a && views.get(pair.a.id);
            const right = pair.b && views.get(pair.b.id);
            if (!left && !right) return [];
            collect(deltas, left?.scores ?? [], right?.scores ?? []);
            return [`{"datasetItemId":${JSON.stringify(pair.itemId)},"a":${sideJson(left)},"b":${sideJson(right)}}`];
          });
          if (texts.length === 0) continue;
          yield separator + texts.join(',');
          separator = ',';
        }
      }
      const byEvaluator: Array<{ evaluator: string } & PairedInterval> = [];
      for (const [evaluator, values] of [...deltas].toSorted(([left], [right]) => compareCodePoints(left, right))) {
        const interval = await pairedBootstrap(Float64Array.from(values), `${seed},${evaluator}`);
        byEvaluator.push({ evaluator, ...interval });
      }
      yield `${separator === ',' ? '' : separator}],"byEvaluator":${JSON.stringify(byEvaluator)}}`;
    })(),
  );
}

/** Adds b - a for evaluators that scored both; one that scored only one of them gets an entry without a difference. */
function collect(deltas: Map<string, number[]>, a: readonly RunScore[], b: readonly RunScore[]): void {
  for (const { evaluator } of [...a, ...b]) if (!deltas.has(evaluator)) deltas.set(evaluator, []);
  for (const left of a) {
    const right = b.find(({ evaluator }) => evaluator === left.evaluator);
    if (right) deltas.get(left.evaluator)?.push(right.score - left.score);
  }
}

function sidesOf({ a, b }: Pair): RunItemHeader[] {
  return [a, b].filter((side) => side !== null);
}

function sideJson(view: RunItemView | null | undefined): string {
  return view
    ? withMembers({ runItemId: view.row.id }, [...outcomeMembers(view.row), ['scores', JSON.stringify(view.scores)]])
    : 'null';
}

/**
 * The items of either of two runs, page by page, in two queries: with a join in one query the planner reads both runs completely for every
 * page.
 */
async function* pairsOf({ db }: DatasetsContext, datasetId: string, a: string, b: string): AsyncGenerator<Pair[]> {
  for (let after = 0; ;) {
    const items = await db
      .selectFrom('dataset_items')
      .select(['id', 'place'])
      .where('dataset_id', '=', datasetId)
      .where('place', '>', after)
      .orderBy('place')
      .limit(page)
      .execute();
    const itemIds = items.map(({ id }) => id);
    const runItems = await db
      .selectFrom('dataset_run_items')
      .select(({ fn }) => [
        'id',
        'run_id',
        'dataset_item_id',
        'trace_id',
        fn<number | null>('octet_length', ['output']).as('output_bytes'),
      ])
      .where('run_id', 'in', [a, b])
      .where('dataset_item_id', '=', sql<string>`ANY(${itemIds}::uuid[])`)
      .execute();
    const byRun = new Map(runItems.map((item) => [`${item.run_id} ${item.dataset_item_id}`, item]));
    const pairs = items.map(({ id }) => ({ itemId: id, a: byRun.get(`${a} ${id}`) ?? null, b: byRun.get(`${b} ${id}`) ?? null }));
    yield pairs.filter((pair) => pair.a !== null || pair.b !== null);
    if (items.length < page) return;
    after = items.at(-1)?.place ?? after;
  }
}
