import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** Rows in one query. */
const pageRows = 5_000;
/** More than the repetitions of an item, of which there are at most 10. */
const repetitionsOfPlace = 16;

/**
 * The rows of a completed run as texts, in the order of the dataset: of each page a line for each row, with the dataset item, the first letter of the status,
 * the latency in milliseconds and the cost in US dollars, separated by spaces; a missing number is empty. The main thread only passes them on.
 */
export async function readRun(db: Database, runId: string): Promise<string[]> {
  const pages: string[] = [];
  for (let after = '-1'; ;) {
    const { rows } = await sql<{ last: string | null; rows: number; lines: string | null }>`
      SELECT max(place * ${repetitionsOfPlace}::bigint + repetition)::text AS last, count(*)::int AS rows, string_agg(
        dataset_item_id || ' ' || left(status, 1) || ' ' || coalesce(latency_ms::text, '') || ' ' || coalesce(cost_usd::text, ''), E'\\n') AS lines
      FROM (
        SELECT place, repetition, dataset_item_id, status, latency_ms, cost_usd FROM simulation_items
        WHERE batch_run_id = ${runId}::uuid
          AND (place, repetition) > (div(${after}::bigint, ${repetitionsOfPlace})::bigint, mod(${after}::bigint, ${repetitionsOfPlace}::bigint)::int)
        ORDER BY place, repetition LIMIT ${pageRows}
      ) AS page`.execute(db);
    const [page] = rows;
    if (page?.lines) pages.push(page.lines);
    if (!page || page.last === null || page.rows < pageRows) return pages;
    after = page.last;
  }
}
