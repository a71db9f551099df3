-- The columns of `spans` without its payloads, in the order of time: from it lists, counts and facets of spans are read (ADR 0033). A row is written before its row of
-- `spans` and has the same version. A span that is sent again with another start gets a tombstone under the earlier one.
{{create_table('span_headers', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    start_time DateTime64(9, 'UTC'),
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    parent_span_id String,
    name LowCardinality(String),
    kind LowCardinality(String),
    end_time Nullable(DateTime64(9, 'UTC')),
    status LowCardinality(String),
    error_code LowCardinality(String),
    error_message String CODEC(ZSTD(1)),
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
    prompt_version_type LowCardinality(String),
    tags Array(LowCardinality(String)),
    input_tokens Nullable(UInt64),
    output_tokens Nullable(UInt64),
    cached_tokens Nullable(UInt64),
    cache_write_tokens Nullable(UInt64),
    reasoning_tokens Nullable(UInt64),
    usage_details String,
    cost_usd Nullable(Float64),
    cost_status LowCardinality(String),
    ttft_ms Nullable(Float64),
    source LowCardinality(String),
    origin LowCardinality(String),
    scope_name LowCardinality(String),
    response_id String,
    trace_name String,
    tool_name LowCardinality(String),
    input_preview String CODEC(ZSTD(1)),
    output_preview String CODEC(ZSTD(1)),
    -- from 0 to 255, of which a sample takes the lowest ones
    lot UInt8 DEFAULT cityHash64(trace_id, span_id) % 256
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id, span_id)
SETTINGS min_bytes_for_wide_part = 67108864, {{durable}};
