import type { TenantTables } from '../../platform/clickhouse/index.ts';
import { Table, tenantTablesOf } from '../../platform/tables/index.ts';

interface CommentedRow {
  traceId: string;
  commentId: string;
  /** `''` on the trace as a whole. */
  spanId: string;
  /** When the comment was written. */
  createdMs: number;
}

const blank: CommentedRow = { traceId: '', commentId: '', spanId: '', createdMs: 0 };

/** Table `comments`: a row is a comment that is there, or was deleted. */
export const commented = new Table({
  name: 'comments',
  timeColumn: 'start_time',
  layoutVersion: 1,
  blank,
  tombstone: {
    columns: ['project_id', 'trace_id', 'comment_id', 'version', 'is_deleted', 'start_time'],
    row: (key: CommentedRow): CommentedRow => key,
  },
  columns: (to, stamp, row) => {
    to.uuid('project_id', stamp.projectId);
    const traceId = to.string('trace_id', row.traceId);
    const commentId = to.string('comment_id', row.commentId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    const spanId = to.string('span_id', row.spanId);
    return { traceId, commentId, spanId, createdMs: to.milliseconds('start_time', row.createdMs) };
  },
});

/** The table of this feature, declared for the tenant filter. */
export const commentTables: TenantTables = tenantTablesOf([commented]);
