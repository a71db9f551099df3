import { sql } from 'kysely';
import type { Tenant } from '../../platform/http/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { readViews, shownMembers } from './run-item-views.ts';
import type { RunItemHeader, RunItemView } from './run-item-views.ts';
import { withMembers } from './stored-json.ts';

/** Items in one query. */
const page = 500;

interface Pair {
  itemId: string;
  place: number;
  a: RunItemHeader | null;
  b: RunItemHeader | null;
}

/** An item of a dataset that one of two runs has. */
export interface ComparedItem {
  itemId: string;
  /** Its place in the order of the dataset. */
  place: number;
  a: RunItemView | undefined;
  b: RunItemView | undefined;
}

/** Two runs of a dataset. */
export interface TwoRuns {
  datasetId: string;
  a: string;
  b: string;
}

/**
 * The items that two runs have, in the order of the dataset, in groups of bounded size.
 *
 * @param after the place after which they begin; 0 for all
 */
export async function* comparedItems(
  context: DatasetsContext,
  tenant: Tenant,
  runs: TwoRuns,
  after = 0,
): AsyncGenerator<ComparedItem[]> {
  for await (const pairs of pairsOf(context, runs, after)) {
    for await (const { entries, views } of readViews(context, tenant, pairs, sidesOf)) {
      yield entries.flatMap(({ itemId, place, a: left, b: right }) => {
        const a = left ? views.get(left.id) : undefined;
        const b = right ? views.get(right.id) : undefined;
        return a || b ? [{ itemId, place, a, b }] : [];
      });
    }
  }
}

/** The item as JSON text, with the payloads as they are stored. */
export function comparedJson({ itemId, a, b }: ComparedItem): string {
  return `{"datasetItemId":${JSON.stringify(itemId)},"a":${sideJson(a)},"b":${sideJson(b)}}`;
}

function sidesOf({ a, b }: Pair): RunItemHeader[] {
  return [a, b].filter((side) => side !== null);
}

function sideJson(view: RunItemView | undefined): string {
  return view
    ? withMembers({ runItemId: view.row.id }, [...shownMembers(view), ['scores', JSON.stringify(view.scores)]])
    : 'null';
}

/**
 * The items of either of two runs, page by page, in two queries: with a join in one query the planner reads both runs completely for every
 * page.
 */
async function* pairsOf({ db }: DatasetsContext, { datasetId, a, b }: TwoRuns, first: number): AsyncGenerator<Pair[]> {
  for (let after = first; ;) {
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
    const pairs = items.map(({ id, place }) => ({
      itemId: id,
      place,
      a: byRun.get(`${a} ${id}`) ?? null,
      b: byRun.get(`${b} ${id}`) ?? null,
    }));
    yield pairs.filter((pair) => pair.a !== null || pair.b !== null);
    if (items.length < page) return;
    after = items.at(-1)?.place ?? after;
  }
}
