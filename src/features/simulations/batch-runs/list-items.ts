import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { BatchItemsQuery } from '../../../contract/simulations.ts';
import { jsonList } from '../../../platform/json/index.ts';
import { Keyset } from '../../../platform/keyset/index.ts';
import { inputPreviews } from '../../datasets/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import type { BatchRunRow, ItemRow } from '../tables.ts';
import { findBatchRun } from './batch-run-record.ts';
import { changeConditions, changesOf, joinBaseline } from './compared-items.ts';
import type { Database } from '../../../platform/postgres/index.ts';

const byPlace = new Keyset([
  { name: 'item.place', type: 'bigint' },
  { name: 'item.repetition', type: 'integer' },
]);

/** Maximum items, and bytes of outputs, read at once. */
const chunkItems = 100;
const chunkBytes = 4_000_000;

/** An item of a page: its key and the repetition that the baseline has of it, without the contents. */
interface Header {
  place: number;
  repetition: number;
  base_repetition: number | null;
  bytes: number | null;
}

/**
 * A page of the items of a run in the order of the dataset, as a stream of JSON text; with those of a baseline where one is named.
 *
 * Errors: `not_found` for the baseline; `invalid_request` for a cursor of another list.
 */
export async function listItems(
  { db }: Pick<SimulationsContext, 'db'>,
  projectId: string,
  runId: string,
  query: BatchItemsQuery,
): Promise<Readable> {
  const baseline = query.baseline === undefined ? null : await findBatchRun(db, projectId, query.baseline);
  const { rows, nextCursor } = byPlace.pageOf(await readHeaders(db, runId, baseline, query), query.limit);
  const groups = (async function* () {
    for (const chunk of chunksOf(rows)) yield await readChunk(db, runId, baseline, chunk);
  })();
  return jsonList('{"items":[', groups, () => `],"nextCursor":${JSON.stringify(nextCursor)}}`);
}

/** The items of a page, and one more if there is one. */
async function readHeaders(
  db: Database,
  runId: string,
  baseline: BatchRunRow | null,
  { status, change, cursor, limit }: BatchItemsQuery,
): Promise<Header[]> {
  const conditions = [
    sql`item.batch_run_id = ${runId}::uuid`,
    ...(status === undefined ? [] : [sql`item.status = ${status}`]),
    ...(change === undefined ? [] : [changeConditions[change]]),
    ...(cursor === undefined ? [] : [byPlace.behind(cursor)]),
  ];
  const { rows } = await sql<Header>`
    SELECT item.place, item.repetition, ${baseline ? sql`base.repetition` : sql`NULL::int`} AS base_repetition,
      coalesce(octet_length(item.output), 0) + ${baseline ? sql`coalesce(octet_length(base.output), 0)` : sql`0`} AS bytes
    FROM simulation_items AS item ${baseline ? joinBaseline(baseline) : sql``}
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY item.place, item.repetition LIMIT ${limit + 1}`.execute(db);
  return rows;
}

function chunksOf(headers: readonly Header[]): Header[][] {
  const chunks: Header[][] = [];
  let bytes = 0;
  for (const header of headers) {
    const open = chunks.at(-1);
    bytes += header.bytes ?? 0;
    if (open && open.length < chunkItems && bytes <= chunkBytes) open.push(header);
    else {
      chunks.push([header]);
      bytes = header.bytes ?? 0;
    }
  }
  return chunks;
}

/** Items as JSON texts. Items do not disappear while their run exists. */
async function readChunk(
  db: Database,
  runId: string,
  baseline: BatchRunRow | null,
  headers: readonly Header[],
): Promise<string[]> {
  const items = await readItems(
    db,
    runId,
    headers.map(({ place, repetition }) => ({ place, repetition })),
  );
  if (baseline === null) return items.map((item) => `${itemJson(item)}}`);
  const compared = headers.map(({ place, base_repetition: repetition }) => ({ place, repetition: repetition ?? 0 }));
  const bases = new Map((await readItems(db, baseline.id, compared)).map((base) => [`${base.place} ${base.repetition}`, base]));
  return items.map((item, index) => {
    const { place, repetition } = compared[index] ?? { place: 0, repetition: 0 };
    const base = bases.get(`${place} ${repetition}`);
    const changes = JSON.stringify(changesOf(item.status, base?.status ?? null));
    return `${itemJson(item)},"changes":${changes},"baseline":${base ? `{${resultJson(base)}}` : 'null'}}`;
  });
}

type Item = ItemRow & { input_preview: string | null };

/** Items of a run in the given order; those that it does not have are left out. */
async function readItems(
  db: Database,
  runId: string,
  keys: ReadonlyArray<{ place: number; repetition: number }>,
): Promise<Item[]> {
  const { rows } = await sql<Item>`
    SELECT item.*, dataset_item.input_preview FROM unnest(${keys.map(({ place }) => place)}::bigint[], ${keys.map(({ repetition }) => repetition)}::int[])
      WITH ORDINALITY AS wanted (place, repetition, position)
    JOIN simulation_items AS item ON item.batch_run_id = ${runId}::uuid AND item.place = wanted.place AND item.repetition = wanted.repetition
    LEFT JOIN (${inputPreviews}) AS dataset_item ON dataset_item.id = item.dataset_item_id
    ORDER BY wanted.position`.execute(db);
  return rows;
}

/** An item as JSON text without its last brace. */
function itemJson(row: Item): string {
  const head = JSON.stringify({ datasetItemId: row.dataset_item_id, inputPreview: row.input_preview }).slice(0, -1);
  return `${head},${resultJson(row)}`;
}

/** The members of a result as JSON text; its output is inserted as it is stored. */
function resultJson(row: ItemRow): string {
  const { repetition, status, error } = row;
  const fields = {
    error,
    errorKind: row.error_kind,
    latencyMs: row.latency_ms,
    costUsd: row.cost_usd,
    unpricedCalls: Number(row.cost_status === 'unpriced'),
    partlyPricedCalls: Number(row.cost_status === 'partly_priced'),
    traceId: row.trace_id,
    referenceMatch: row.reference_match,
  };
  const head = JSON.stringify({ repetition, status }).slice(1, -1);
  return `${head},"output":${row.output ?? 'null'},${JSON.stringify(fields).slice(1, -1)},"scores":${row.scores ?? '[]'}`;
}
