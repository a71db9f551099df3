-- One row is one version of a span, or (span_id = '') of a trace's own record; the highest version wins.
-- Sorted by trace, so that everything of a trace is one short read and a re-sent span replaces its row whatever changed in it.
{{create_table('spans', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    parent_span_id String,
    name String,
    kind LowCardinality(String),
    start_time DateTime64(9, 'UTC'),
    end_time Nullable(DateTime64(9, 'UTC')),
    status LowCardinality(String),
    error_code LowCardinality(String),
    error_message String,
    model LowCardinality(String),
    request_model LowCardinality(String),
    provider LowCardinality(String),
    agent_name LowCardinality(String),
    operation LowCardinality(String),
    session_id String,
    user_id String,
    environment LowCardinality(String),
    release LowCardinality(String),
    service LowCardinality(String),
    prompt_name LowCardinality(String),
    prompt_version LowCardinality(String),
    tags Array(LowCardinality(String)),
    input_tokens Nullable(UInt64),
    output_tokens Nullable(UInt64),
    cached_tokens Nullable(UInt64),
    cache_write_tokens Nullable(UInt64),
    reasoning_tokens Nullable(UInt64),
    cost_usd Nullable(Float64),
    cost_status LowCardinality(String),
    ttft_ms Nullable(Float64),
    source LowCardinality(String),
    scope_name LowCardinality(String),
    -- the first 200 characters of input and output, for lists
    input_preview String,
    output_preview String,
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    metadata String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    extra String CODEC(ZSTD(3)),
    INDEX start_time_range start_time TYPE minmax GRANULARITY 1,
    INDEX session_ids session_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, span_id)
SETTINGS {{durable}};

{{create_table('scores', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    trace_id String,
    score_id String,
    version UInt64,
    is_deleted UInt8,
    span_id String,
    session_id String,
    evaluator LowCardinality(String),
    score Float64,
    -- 1 passed, 0 failed, NULL not said
    passed Nullable(UInt8),
    label String,
    comment String,
    model LowCardinality(String),
    start_time DateTime64(3, 'UTC'),
    source LowCardinality(String),
    metadata String,
    INDEX score_ids score_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX session_ids session_id TYPE bloom_filter(0.01) GRANULARITY 4
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, score_id)
SETTINGS {{durable}};
