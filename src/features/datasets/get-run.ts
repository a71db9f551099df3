import type { Readable } from 'node:stream';
import { mostItems } from '../../contract/datasets.ts';
import type { RunQuery } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { jsonStream } from './json-stream.ts';
import { outcomeMembers } from './run-items.ts';
import { readViews } from './run-item-views.ts';
import type { RunItemOutline, RunItemView } from './run-item-views.ts';
import { getRun, withAggregates } from './runs.ts';
import { withMembers } from './stored-json.ts';

interface Entry extends RunItemOutline {
  place: number;
}

/**
 * A run with its aggregates and a page of its items in the order of the dataset, as a stream of JSON text.
 *
 * Errors: `not_found`; `invalid_request` for a cursor that is not of this list.
 */
export async function getRunDetail(
  context: DatasetsContext,
  tenant: Tenant,
  { datasetId, runId }: { datasetId: string; runId: string },
  query: RunQuery,
): Promise<Readable> {
  const after = decodePlace(query.cursor);
  const limit = query.limit ?? mostItems;
  const run = await withAggregates(context, tenant, await getRun(context, datasetId, runId));
  const outline = await outlineOf(context, run.id, after, limit + 1);
  const shown = outline.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = outline.length > limit && last ? encodePlace(last.place) : null;
  return jsonStream(
    (async function* () {
      let separator = `${JSON.stringify(run).slice(0, -1)},"items":[`;
      for await (const { entries, views } of readViews(context, tenant, shown, (entry) => [entry])) {
        const texts = entries.flatMap(({ id }) => {
          const view = views.get(id);
          return view ? [viewJson(view)] : [];
        });
        if (texts.length === 0) continue;
        yield separator + texts.join(',');
        separator = ',';
      }
      yield `${separator === ',' ? '' : separator}],"nextCursor":${JSON.stringify(nextCursor)}}`;
    })(),
  );
}

function viewJson({ row, scores }: RunItemView): string {
  return withMembers({ id: row.id, runId: row.run_id, datasetItemId: row.dataset_item_id }, [
    ...outcomeMembers(row),
    ['scores', JSON.stringify(scores)],
    ['createdAt', JSON.stringify(row.created_at.toISOString())],
  ]);
}

function outlineOf({ db }: DatasetsContext, runId: string, after: number, limit: number): Promise<Entry[]> {
  return db
    .selectFrom('dataset_run_items as r')
    .innerJoin('dataset_items as i', 'i.id', 'r.dataset_item_id')
    .select(({ fn }) => ['r.id', 'r.trace_id', 'i.place', fn<number | null>('octet_length', ['r.output']).as('output_bytes')])
    .where('r.run_id', '=', runId)
    .where('i.place', '>', after)
    .orderBy('i.place')
    .limit(limit)
    .execute();
}

function encodePlace(place: number): string {
  return Buffer.from(String(place)).toString('base64url');
}

function decodePlace(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ServiceError(
    'invalid_request',
    'The cursor is not valid; use nextCursor of the page before, or leave it out to start over.',
    { details: [{ path: '/cursor', message: 'is not a cursor of this list' }] },
  );
}
