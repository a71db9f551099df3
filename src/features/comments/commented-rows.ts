import { sql } from 'kysely';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';
import { TableRows } from '../../platform/tables/index.ts';
import { commented } from './commented-table.ts';
import type { CommentsContext } from './comments-context.ts';
import type { CommentTables } from './tables.ts';

type CommentedRow = CommentTables['comment_rows'];
type CommentKey = Pick<CommentTables['comments'], 'id' | 'project_id' | 'trace_id' | 'span_id' | 'created_at'>;

/** Rows of one insert. */
const chunkSize = 1_000;

/** Notes, in the transaction that writes or deletes comments, that ClickHouse is to know. @returns the noted rows */
export async function noteRows(
  transaction: Transaction,
  comments: readonly CommentKey[],
  version: CommentedRow['version'],
): Promise<CommentedRow[]> {
  const rows = comments.map(({ id, project_id, trace_id, span_id, created_at }) => {
    return { comment_id: id, version, project_id, trace_id, span_id, created_at };
  });
  for (let at = 0; at < rows.length; at += chunkSize)
    await transaction
      .insertInto('comment_rows')
      .values(rows.slice(at, at + chunkSize))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return rows;
}

/**
 * Writes noted rows to ClickHouse after the commit, so that filters know them when the request is answered. What fails is left to
 * {@link writeNotedRows}, which writes all of them once more.
 */
export async function writeAtOnce(
  { clickhouse, onUnwritten }: Pick<CommentsContext, 'clickhouse' | 'onUnwritten'>,
  rows: readonly CommentedRow[],
): Promise<void> {
  try {
    await insert(clickhouse, rows);
  } catch (error) {
    onUnwritten(error);
  }
}

/**
 * Writes every noted row to ClickHouse and forgets it: those of requests too, since a backup may have copied PostgreSQL behind a request and
 * ClickHouse before it. A row replaces the one that is there, whatever the order. A job.
 */
export async function writeNotedRows(
  { db, clickhouse }: { db: Database; clickhouse: ClickHouse },
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const rows = await db
      .selectFrom('comment_rows')
      .selectAll()
      .orderBy('comment_id')
      .orderBy('version')
      .limit(chunkSize)
      .execute();
    if (rows.length === 0) return;
    await insert(clickhouse, rows);
    await sql`DELETE FROM comment_rows AS noted
      USING unnest(${rows.map((row) => row.comment_id)}::uuid[], ${rows.map((row) => row.version)}::integer[]) AS written (comment_id, version)
      WHERE noted.comment_id = written.comment_id AND noted.version = written.version`.execute(db);
  }
}

async function insert(clickhouse: ClickHouse, rows: readonly CommentedRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const written = new TableRows(commented);
  for (const row of rows) {
    const stamp = { projectId: row.project_id, version: row.version };
    const record = { traceId: row.trace_id, commentId: row.comment_id, spanId: row.span_id, createdMs: row.created_at.getTime() };
    if (row.version === 1) written.add({ ...stamp, deleted: false }, record);
    else written.addTombstone(stamp, record);
  }
  const token = `comments-${first.comment_id}-${first.version}-${rows.length}`;
  for (const rowsOfTable of written.inserts(token)) await clickhouse.insertRows(rowsOfTable);
}
