-- What people changed in the tags of a trace, one row a trace (docs/semantics/jobs.md, "Tags of traces"). Its summary has the tags that its spans have, with these changes.
{{create_table('trace_tags', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    trace_id String,
    version UInt64,
    is_deleted UInt8,
    -- of the last change
    start_time DateTime64(3, 'UTC'),
    added Array(String),
    removed Array(String)
)
ENGINE = {{replacing('version, is_deleted')}}
ORDER BY (project_id, trace_id)
SETTINGS {{durable}};
