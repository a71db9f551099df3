import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { ClickHouse, RowsCopy, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { spanTexts } from './span-texts.ts';

export interface BackfillSearchOptions {
  clickhouse: ClickHouse;
  postgres: Database;
  clock: Clock;
  /** What is copied of the columns of `spans`. */
  copies: readonly RowsCopy[];
}

/** Rows of spans in a portion, unless one trace has more. */
const portionRows = 50_000;
/** Maximum portions of one run, so that a backup does not wait for long. */
const maxPortions = 10;
/** Traces of which texts are left that one run deletes. */
const maxLeft = 10_000;
/** Texts are written before their spans. In a batch that takes longer, both are written again. */
const batchMs = 60 * 60_000;

/** The id of the trace with which a portion ends; without a row fewer rows are left. */
export const endOfPortionSql = `SELECT trace_id FROM spans WHERE trace_id > {after:String} ORDER BY trace_id LIMIT 1 OFFSET ${portionRows - 1}`;

/** Copies columns of the spans of a portion. */
export function copySql({ table, columns }: RowsCopy): string {
  const names = columns.join(', ');
  return `INSERT INTO ${table} (${names})
SELECT ${names} FROM spans FINAL WHERE trace_id > {after:String} AND ({upTo:String} = '' OR trace_id <= {upTo:String})`;
}

/** Traces of which texts and no span are left: they were deleted while a portion was copied. */
export const leftTextsSql = `SELECT DISTINCT trace_id FROM ${spanTexts.table}
WHERE version < {before:UInt64} AND trace_id GLOBAL NOT IN (SELECT trace_id FROM spans FINAL) LIMIT ${maxLeft}`;

interface Backfill {
  projectId: string;
  afterTraceId: string;
  total: number | null;
}

/**
 * Copies the texts and headers of spans that releases without `span_texts` and `span_headers` stored. Continues where the last run ended. A portion may be repeated, and
 * batches and deletions may be written meanwhile: a text is found where its span still has its version, and a header is below the tombstones that they write.
 *
 * @param signal stops between two portions
 * @returns the number of portions
 */
export async function backfillSearch(options: BackfillSearchOptions, signal?: AbortSignal): Promise<number> {
  const { clickhouse, postgres, copies } = options;
  const { rows } = await sql<Backfill>`
    SELECT project_id AS "projectId", after_trace_id AS "afterTraceId", total FROM search_backfills ORDER BY project_id LIMIT 100`.execute(
    postgres,
  );
  let portions = 0;
  for (const { projectId, afterTraceId, total } of rows) {
    const reader = clickhouse.forTenant({ projectId, oldestMs: null });
    if (total === null) await noteTotal(postgres, reader, projectId);
    let after: string | null = afterTraceId;
    while (after !== null) {
      if (portions >= maxPortions || signal?.aborted) return portions;
      after = await copyPortion(reader, copies, after);
      portions++;
      if (after === null) break;
      await sql`UPDATE search_backfills SET after_trace_id = ${after}, copied = copied + ${portionRows} WHERE project_id = ${projectId}`.execute(
        postgres,
      );
    }
    await deleteLeft(options, reader, projectId);
    await sql`DELETE FROM search_backfills WHERE project_id = ${projectId}`.execute(postgres);
  }
  return portions;
}

async function noteTotal(postgres: Database, reader: TenantReader, projectId: string): Promise<void> {
  const [row] = await reader.query<{ total: number }>('SELECT count() AS total FROM spans');
  await sql`UPDATE search_backfills SET total = ${row?.total ?? 0} WHERE project_id = ${projectId}`.execute(postgres);
}

/** @returns the id of the last trace of the portion; null when there are no more */
async function copyPortion(reader: TenantReader, copies: readonly RowsCopy[], after: string): Promise<string | null> {
  const [end] = await reader.query<{ trace_id: string }>(endOfPortionSql, { after });
  for (const copy of copies) await reader.insertSelect(copySql(copy), { after, upTo: end?.trace_id ?? '' });
  return end?.trace_id ?? null;
}

async function deleteLeft({ clickhouse, clock }: BackfillSearchOptions, reader: TenantReader, projectId: string): Promise<void> {
  const before = (clock.now() - batchMs) * 1000;
  const left = await reader.query<{ trace_id: string }>(leftTextsSql, { before });
  if (left.length === 0) return;
  const { cluster } = clickhouse;
  const target = cluster === null ? spanTexts.table : `${spanTexts.table}_local ON CLUSTER '${cluster}'`;
  await clickhouse.command(
    `ALTER TABLE ${target} DELETE WHERE project_id = {project:UUID} AND version < {before:UInt64} AND trace_id IN {traces:Array(String)}`,
    { project: projectId, before, traces: left.map(({ trace_id: id }) => id) },
  );
}
