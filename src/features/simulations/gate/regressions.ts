import { sql } from 'kysely';
import type { Database } from '../../../platform/postgres/index.ts';

/** Regressions of an answer, and bytes of their outputs. */
export const maxRegressions = 100;
const maxBytes = 16_000_000;

interface Header {
  id: string;
  bytes: number;
}

interface Side {
  id: string;
  status: string;
  output: string | null;
}

/**
 * Regressed items with what both runs have of them: of the baseline the first repetition, of the candidate the first that did not pass.
 *
 * @param itemIds dataset items
 * @returns JSON texts of the entries, in the given order; outputs are inserted as they are stored
 */
export async function regressionsOf(
  db: Database,
  { baselineId, candidateId }: { baselineId: string; candidateId: string },
  itemIds: readonly string[],
): Promise<string[]> {
  const ids = await withinSize(db, { baselineId, candidateId }, itemIds.slice(0, maxRegressions));
  const baseline = await sidesOf(db, baselineId, ids, false);
  const candidate = await sidesOf(db, candidateId, ids, true);
  return ids.map(
    (id) =>
      `{"datasetItemId":${JSON.stringify(id)},"baseline":${sideJson(baseline.get(id))},"candidate":${sideJson(candidate.get(id))}}`,
  );
}

/** The first items whose outputs together are not too large; at least one. */
async function withinSize(
  db: Database,
  { baselineId, candidateId }: { baselineId: string; candidateId: string },
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<Header>`SELECT dataset_item_id AS id, coalesce(max(octet_length(output)), 0)::float8 * 2 AS bytes
    FROM simulation_items WHERE batch_run_id = ANY(${[baselineId, candidateId]}::uuid[]) AND dataset_item_id = ANY(${[...ids]}::uuid[])
    GROUP BY dataset_item_id`.execute(db);
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  let total = 0;
  const end = ids.findIndex((id, index) => {
    total += sizes.get(id) ?? 0;
    return index > 0 && total > maxBytes;
  });
  return ids.slice(0, end < 0 ? ids.length : end);
}

async function sidesOf(db: Database, runId: string, ids: readonly string[], notPassed: boolean): Promise<Map<string, Side>> {
  const { rows } = await sql<Side>`SELECT DISTINCT ON (dataset_item_id) dataset_item_id AS id, status, output
    FROM simulation_items WHERE batch_run_id = ${runId}::uuid AND dataset_item_id = ANY(${[...ids]}::uuid[])
      AND (NOT ${notPassed}::boolean OR status <> 'passed')
    ORDER BY dataset_item_id, repetition`.execute(db);
  return new Map(rows.map((side) => [side.id, side]));
}

function sideJson(side: Side | undefined): string {
  return `{"status":${JSON.stringify(side?.status ?? 'pending')},"output":${side?.output ?? 'null'}}`;
}
