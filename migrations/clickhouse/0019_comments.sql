-- Which traces and spans have comments, for filters (docs/semantics.md, "Comments"). The comments are in PostgreSQL, whose comment_rows brings the rows here.
{{create_table('comments', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    trace_id String,
    comment_id String,
    -- 1 it is there, 2 it is deleted
    version UInt64,
    is_deleted UInt8,
    -- '' on the trace as a whole
    span_id String,
    -- when it was written
    start_time DateTime64(3, 'UTC')
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, comment_id)
SETTINGS {{durable}};
