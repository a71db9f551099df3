export interface CommentTables {
  comments: {
    id: string;
    project_id: string;
    trace_id: string;
    /** `''` on the trace as a whole. */
    span_id: string;
    body: string;
    /** JSON, as it was sent. */
    anchor: string | null;
    author_id: string;
    author_name: string;
    created_at: Date;
    edited_at: Date | null;
    resolved_at: Date | null;
    trace_time: Date;
  };
  comment_mentions: {
    comment_id: string;
    user_id: string;
    created_at: Date;
    read_at: Date | null;
    mail_due_at: Date | null;
    mail_attempts: number;
  };
  comment_rows: {
    comment_id: string;
    version: 1 | 2;
    project_id: string;
    trace_id: string;
    span_id: string;
    created_at: Date;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends CommentTables {}
}
