-- Everything here is derived from spans and scores, trace by trace, when a batch arrives; a row that no longer holds is
-- replaced by one with is_deleted = 1 under the same key.

-- One row is one call: a span of kind llm or embedding that names a model and does not repeat its children.
{{create_table('calls', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    hour DateTime('UTC'),
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(9, 'UTC'),
    model LowCardinality(String),
    provider LowCardinality(String),
    agent_name LowCardinality(String),
    operation LowCardinality(String),
    environment LowCardinality(String),
    prompt_name LowCardinality(String),
    prompt_version LowCardinality(String),
    error UInt8,
    error_code LowCardinality(String),
    finished UInt8,
    duration_ms Float64,
    ttft_ms Nullable(Float64),
    cost Float64,
    unpriced UInt8,
    input_tokens UInt64,
    output_tokens UInt64,
    cached_tokens UInt64,
    cache_write_tokens UInt64,
    reasoning_tokens UInt64
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, trace_id, span_id)
SETTINGS {{durable}};

-- One row is one score with the model it counts for ('' = none).
{{create_table('quality', 'cityHash64(project_id, score_id)')}}
(
    project_id UUID,
    hour DateTime('UTC'),
    score_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(3, 'UTC'),
    model LowCardinality(String),
    evaluator LowCardinality(String),
    score Float64,
    passed Nullable(UInt8),
    trace_id String,
    span_id String
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, score_id)
SETTINGS {{durable}};

-- One row is the summary of one trace, for lists.
{{create_table('traces', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    start_time DateTime64(9, 'UTC'),
    trace_id String,
    version UInt64,
    is_deleted UInt8,
    name String,
    end_time Nullable(DateTime64(9, 'UTC')),
    duration_ms Nullable(Float64),
    session_id String,
    user_id String,
    environment LowCardinality(String),
    release LowCardinality(String),
    tags Array(LowCardinality(String)),
    error UInt8,
    error_count UInt32,
    span_count UInt32,
    call_count UInt32,
    unpriced_calls UInt32,
    models Array(LowCardinality(String)),
    agents Array(LowCardinality(String)),
    cost Float64,
    input_tokens UInt64,
    output_tokens UInt64,
    cached_tokens UInt64,
    reasoning_tokens UInt64,
    input_preview String,
    output_preview String,
    INDEX trace_ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX session_ids session_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id)
SETTINGS {{durable}};
