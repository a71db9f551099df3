-- The searchable texts of each version of a span or of a trace's own record, in the order of time. A row is written before its row of spans and has the same
-- version, so that a span is found by the row of its current version alone; rows of replaced and deleted spans find nothing. The index of words is added at
-- the start, where the server has such indexes (ADR 0031).
{{create_table('span_texts', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    start_time DateTime64(9, 'UTC'),
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    name String,
    error_code LowCardinality(String),
    error_message String CODEC(ZSTD(1)),
    input String CODEC(ZSTD(1)),
    output String CODEC(ZSTD(1))
)
ENGINE = {{replacing('version')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id, span_id)
SETTINGS index_granularity = 1024, min_bytes_for_wide_part = 67108864, {{durable}};
