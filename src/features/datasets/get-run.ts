import type { Readable } from 'node:stream';
import { maxItems } from '../../contract/datasets.ts';
import type { RunQuery } from '../../contract/datasets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { jsonList } from '../../platform/json/index.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import type { Page } from '../../platform/keyset/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { readViews, shownMembers } from './run-item-views.ts';
import type { RunItemHeader, RunItemView } from './run-item-views.ts';
import { getRun, withAggregates } from './runs.ts';
import { withMembers } from './stored-json.ts';

const byPlace = new Keyset([{ name: 'i.place', type: 'bigint' }]);

interface Entry extends RunItemHeader {
  place: number;
}

/**
 * A run with its aggregates and a page of its items in the order of the dataset, as a stream of JSON text.
 *
 * Errors: `not_found`; `invalid_request` for a cursor of another list.
 */
export async function getRunDetail(
  context: DatasetsContext,
  tenant: Tenant,
  { datasetId, runId }: { datasetId: string; runId: string },
  query: RunQuery,
): Promise<Readable> {
  const run = await withAggregates(context, tenant, await getRun(context, datasetId, runId));
  const { rows: shown, nextCursor } = await readHeaders(context, run.id, query);
  const groups = (async function* () {
    for await (const { entries, views } of readViews(context, tenant, shown, (entry) => [entry])) {
      yield entries.flatMap(({ id }) => {
        const view = views.get(id);
        return view ? [viewJson(view)] : [];
      });
    }
  })();
  const opening = `${JSON.stringify(run).slice(0, -1)},"items":[`;
  return jsonList(opening, groups, () => `],"nextCursor":${JSON.stringify(nextCursor)}}`);
}

function viewJson(view: RunItemView): string {
  const { row, scores } = view;
  return withMembers({ id: row.id, runId: row.run_id, datasetItemId: row.dataset_item_id }, [
    ...shownMembers(view),
    ['scores', JSON.stringify(scores)],
    ['createdAt', JSON.stringify(row.created_at.toISOString())],
  ]);
}

async function readHeaders({ db }: DatasetsContext, runId: string, query: RunQuery): Promise<Page<Entry>> {
  const select = db
    .selectFrom('dataset_run_items as r')
    .innerJoin('dataset_items as i', 'i.id', 'r.dataset_item_id')
    .select(({ fn }) => ['r.id', 'r.trace_id', 'i.place', fn<number | null>('octet_length', ['r.output']).as('output_bytes')])
    .where('r.run_id', '=', runId);
  return byPlace.read(select, { cursor: query.cursor, limit: query.limit ?? maxItems });
}
