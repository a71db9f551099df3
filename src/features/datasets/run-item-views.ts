import { sql } from 'kysely';
import type { RunScore } from '../../contract/datasets.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { findSpans, readSpanPayloads, readTraceFigures, readTraceScores } from '../traces/index.ts';
import type { FoundSpan } from '../traces/index.ts';
import type { DatasetsContext } from './datasets-context.ts';
import { outcomeMembers } from './run-items.ts';
import type { DatasetsTables } from './tables.ts';

/** A run item before its contents are read. */
export interface RunItemHeader {
  id: string;
  trace_id: string | null;
  /** Bytes of the output; null without one. */
  output_bytes: number | null;
}

/** A run item with omitted fields taken from its trace, and with its scores by evaluator. */
export interface RunItemView {
  row: DatasetsTables['dataset_run_items'];
  /** Calls that are missing in the cost: none where the item has one of its own. */
  missing: { unpricedCalls: number; partlyPricedCalls: number };
  scores: RunScore[];
}

/** The members of a view's JSON, but its scores. */
export function shownMembers({ row, missing }: RunItemView): Array<readonly [name: string, json: string]> {
  const counts = Object.entries(missing).map(([name, count]) => [name, JSON.stringify(count)] as const);
  return [...outcomeMembers(row), ...counts];
}

/** Maximum bytes of contents, and maximum entries, read at once. */
const chunkBytes = 4_000_000;
const chunkEntries = 200;

/**
 * Reads run items in batches of bounded size. An entry is the item of one run, or the items of two compared runs; it is never split across
 * batches.
 *
 * @param itemsOf the run items of an entry
 * @returns entries with the views of their run items by id, without those deleted meanwhile
 */
export async function* readViews<T>(
  context: DatasetsContext,
  tenant: Tenant,
  entries: readonly T[],
  itemsOf: (entry: T) => RunItemHeader[],
): AsyncGenerator<{ entries: T[]; views: Map<string, RunItemView> }> {
  const roots = await rootsFor(context, tenant, entries.flatMap(itemsOf));
  let open: T[] = [];
  let openBytes = 0;
  const read = async () => ({ entries: open, views: await viewsOf(context, tenant, open.flatMap(itemsOf), roots) });
  for (const entry of entries) {
    const bytes = itemsOf(entry).reduce(
      (sum, item) => sum + (item.output_bytes ?? roots.get(item.trace_id ?? '')?.bytes ?? 0),
      0,
    );
    if (open.length > 0 && (open.length >= chunkEntries || openBytes + bytes > chunkBytes)) {
      yield await read();
      open = [];
      openBytes = 0;
    }
    open.push(entry);
    openBytes += bytes;
  }
  if (open.length > 0) yield await read();
}

/** The roots of the traces whose output replaces the omitted output of an item. */
async function rootsFor(
  context: DatasetsContext,
  tenant: Tenant,
  items: readonly RunItemHeader[],
): Promise<Map<string, FoundSpan>> {
  const traceIds = new Set<string>();
  for (const item of items) if (item.output_bytes === null && item.trace_id !== null) traceIds.add(item.trace_id);
  const names = [...traceIds].map((traceId) => ({ traceId, spanId: null }));
  const found = names.length === 0 ? [] : await findSpans(context, tenant, names);
  return new Map(found.flatMap((span) => (span ? [[span.traceId, span] as const] : [])));
}

async function viewsOf(
  context: DatasetsContext,
  tenant: Tenant,
  items: readonly RunItemHeader[],
  roots: ReadonlyMap<string, FoundSpan>,
): Promise<Map<string, RunItemView>> {
  // Deduplicate: a run may be compared with itself.
  const ids = [...new Set(items.map(({ id }) => id))];
  const rows = await context.db
    .selectFrom('dataset_run_items')
    .selectAll()
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute();
  const scores = await ownScoresOf(context, ids);
  const traceIds = rows.flatMap((row) => (row.trace_id === null ? [] : [row.trace_id]));
  const figures = await readTraceFigures(context, tenant, traceIds);
  const traceScores = await readTraceScores(context, tenant, traceIds);
  const outputs = await outputsOf(context, tenant, rows, roots);
  return new Map(
    rows.map((row) => {
      const trace = row.trace_id === null ? undefined : figures.get(row.trace_id);
      const own = scores.get(row.id) ?? [];
      const ofTrace = (traceScores.get(row.trace_id ?? '') ?? []).filter(
        ({ evaluator }) => !own.some((score) => score.evaluator === evaluator),
      );
      const shown = {
        ...row,
        output: row.output ?? outputs.get(row.trace_id ?? '') ?? null,
        latency_ms: row.latency_ms ?? trace?.durationMs ?? null,
        cost_usd: row.cost_usd ?? trace?.costUsd ?? null,
        error: row.error ?? (trace?.failed ? 'true' : null),
      };
      return [
        row.id,
        {
          row: shown,
          missing:
            row.cost_usd === null && trace
              ? { unpricedCalls: trace.unpricedCalls, partlyPricedCalls: trace.partlyPricedCalls }
              : { unpricedCalls: 0, partlyPricedCalls: 0 },
          scores: [...own, ...ofTrace].toSorted((left, right) => compareCodePoints(left.evaluator, right.evaluator)),
        },
      ];
    }),
  );
}

async function ownScoresOf({ db }: DatasetsContext, ids: readonly string[]): Promise<Map<string, RunScore[]>> {
  // A lookup by key for each item: without statistics the planner would otherwise scan the table.
  const { rows } = await sql<{ id: string } & RunScore>`
    SELECT wanted.id, found.*
    FROM unnest(${ids}::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT evaluator, score, passed, comment FROM dataset_run_scores WHERE run_item_id = wanted.id OFFSET 0
    ) AS found`.execute(db);
  const byItem = new Map<string, RunScore[]>();
  for (const { id, ...score } of rows) byItem.set(id, [...(byItem.get(id) ?? []), score]);
  return byItem;
}

/** Outputs of roots by trace id, for rows without an output. */
async function outputsOf(
  context: DatasetsContext,
  tenant: Tenant,
  rows: ReadonlyArray<DatasetsTables['dataset_run_items']>,
  roots: ReadonlyMap<string, FoundSpan>,
): Promise<Map<string, string | null>> {
  const traceIds = new Set(rows.flatMap((row) => (row.output === null && row.trace_id !== null ? [row.trace_id] : [])));
  const spans = [...traceIds].flatMap((traceId) => roots.get(traceId) ?? []);
  const payloads = await readSpanPayloads(context, tenant, spans);
  return new Map(spans.map(({ traceId }, index) => [traceId, payloads[index]?.output ?? null]));
}
