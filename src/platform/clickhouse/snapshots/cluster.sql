CREATE TABLE IF NOT EXISTS spans_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, span_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS spans ON CLUSTER 'main' AS spans_local ENGINE = Distributed('main', currentDatabase(), 'spans_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS scores_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, score_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS scores ON CLUSTER 'main' AS scores_local ENGINE = Distributed('main', currentDatabase(), 'scores_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS calls_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, trace_id, span_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS calls ON CLUSTER 'main' AS calls_local ENGINE = Distributed('main', currentDatabase(), 'calls_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS quality_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, score_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS quality ON CLUSTER 'main' AS quality_local ENGINE = Distributed('main', currentDatabase(), 'quality_local', cityHash64(project_id, score_id));

CREATE TABLE IF NOT EXISTS traces_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS traces ON CLUSTER 'main' AS traces_local ENGINE = Distributed('main', currentDatabase(), 'traces_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS model_hours_local ON CLUSTER 'main'
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    
    hour DateTime('UTC'),
    seal UInt64,
    model LowCardinality(String),
    dimension Enum8('model' = 1, 'provider' = 2, 'agent' = 3, 'operation' = 4, 'error' = 5),
    item LowCardinality(String),
    calls UInt64,
    finished UInt64,
    errors UInt64,
    unpriced UInt64,
    cost Float64,
    duration_sum Float64,
    ttft_sum Float64,
    ttft_count UInt64,
    input_tokens UInt64,
    output_tokens UInt64,
    cached_tokens UInt64,
    reasoning_tokens UInt64,
    first_seen DateTime64(9, 'UTC'),
    last_seen DateTime64(9, 'UTC')
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, dimension, model, hour, seal)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS model_hours ON CLUSTER 'main' AS model_hours_local ENGINE = Distributed('main', currentDatabase(), 'model_hours_local', cityHash64(project_id));

CREATE TABLE IF NOT EXISTS model_hour_sketches_local ON CLUSTER 'main'
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    
    hour DateTime('UTC'),
    seal UInt64,
    model LowCardinality(String),
    durations Array(Float64),
    duration_counts Array(UInt64),
    traces Array(UInt64)
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, model, hour, seal)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS model_hour_sketches ON CLUSTER 'main' AS model_hour_sketches_local ENGINE = Distributed('main', currentDatabase(), 'model_hour_sketches_local', cityHash64(project_id));

CREATE TABLE IF NOT EXISTS quality_hours_local ON CLUSTER 'main'
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    
    hour DateTime('UTC'),
    seal UInt64,
    model LowCardinality(String),
    evaluator LowCardinality(String),
    evals UInt64,
    score_sum Float64,
    passed UInt64,
    failed UInt64
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, model, hour, seal)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS quality_hours ON CLUSTER 'main' AS quality_hours_local ENGINE = Distributed('main', currentDatabase(), 'quality_hours_local', cityHash64(project_id));

ALTER TABLE spans_local ON CLUSTER 'main' MODIFY SETTING min_bytes_for_wide_part = 67108864;

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS prompt_version_type LowCardinality(String);

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS prompt_version_type LowCardinality(String);

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS response_id String;

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS response_id String;

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS trace_name String;

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS trace_name String;

ALTER TABLE traces_local ON CLUSTER 'main' UPDATE name = '', session_id = '', user_id = '', tags = [], input_preview = '', output_preview = '' WHERE is_deleted = 1;

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS oldest_time DateTime64(9, 'UTC') DEFAULT start_time;

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS oldest_time DateTime64(9, 'UTC') DEFAULT start_time;

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS newest_time DateTime64(9, 'UTC') DEFAULT greatest(start_time, ifNull(end_time, start_time));

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS newest_time DateTime64(9, 'UTC') DEFAULT greatest(start_time, ifNull(end_time, start_time));

ALTER TABLE traces_local ON CLUSTER 'main' ADD INDEX IF NOT EXISTS oldest_times oldest_time TYPE minmax GRANULARITY 1;

ALTER TABLE traces_local ON CLUSTER 'main' MATERIALIZE INDEX oldest_times;

ALTER TABLE scores_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_min Float64;

ALTER TABLE scores ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_min Float64;

ALTER TABLE scores_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_max Float64 DEFAULT 1;

ALTER TABLE scores ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_max Float64 DEFAULT 1;

ALTER TABLE scores_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_quality UInt8 DEFAULT 1;

ALTER TABLE scores ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_quality UInt8 DEFAULT 1;

ALTER TABLE quality_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_min Float64;

ALTER TABLE quality ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_min Float64;

ALTER TABLE quality_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_max Float64 DEFAULT 1;

ALTER TABLE quality ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS scale_max Float64 DEFAULT 1;

ALTER TABLE quality_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_quality UInt8 DEFAULT 1;

ALTER TABLE quality ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_quality UInt8 DEFAULT 1;

ALTER TABLE quality_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_evals UInt64 DEFAULT evals;

ALTER TABLE quality_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_evals UInt64 DEFAULT evals;

ALTER TABLE quality_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_sum Float64 DEFAULT score_sum;

ALTER TABLE quality_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_sum Float64 DEFAULT score_sum;

ALTER TABLE quality_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_passed UInt64 DEFAULT passed;

ALTER TABLE quality_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_passed UInt64 DEFAULT passed;

ALTER TABLE quality_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_failed UInt64 DEFAULT failed;

ALTER TABLE quality_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS quality_failed UInt64 DEFAULT failed;

CREATE TABLE IF NOT EXISTS guardrail_activity_local ON CLUSTER 'main'
(
    project_id UUID,
    
    activity_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(3, 'UTC'),
    stage LowCardinality(String),
    
    environment LowCardinality(String),
    checks UInt64,
    flagged UInt64,
    redacted UInt64,
    blocked UInt64,
    failed UInt64,
    guardrails Array(LowCardinality(String)),
    guardrail_types Array(LowCardinality(String)),
    guardrail_checks Array(Float64),
    guardrail_flagged Array(Float64),
    guardrail_redacted Array(Float64),
    guardrail_blocked Array(Float64),
    guardrail_failed Array(Float64),
    timed_guardrails Array(LowCardinality(String)),
    
    latencies Array(Float64),
    INDEX start_time_range start_time TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, activity_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS guardrail_activity ON CLUSTER 'main' AS guardrail_activity_local ENGINE = Distributed('main', currentDatabase(), 'guardrail_activity_local', cityHash64(project_id, activity_id));

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS error_code LowCardinality(String);

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS error_code LowCardinality(String);

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS error_message String;

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS error_message String;

ALTER TABLE traces_local ON CLUSTER 'main' ADD INDEX IF NOT EXISTS newest_times newest_time TYPE minmax GRANULARITY 1;

ALTER TABLE traces_local ON CLUSTER 'main' MATERIALIZE INDEX newest_times;

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS tool_name LowCardinality(String) DEFAULT multiIf(kind != 'tool', '', source = 'native', JSONExtractString(attributes, 'gen_ai.tool.name'), coalesce(nullIf(JSONExtractString(attributes, 'gen_ai.tool.name'), ''), nullIf(JSONExtractString(attributes, 'tool.name'), ''), nullIf(JSONExtractString(attributes, 'ai.toolCall.name'), ''), nullIf(JSONExtractString(attributes, 'lk.pii.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'lk.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'flue.tool.name'), ''), nullIf(JSONExtractString(attributes, 'traceloop.entity.name'), ''), nullIf(JSONExtractString(attributes, 'tool_name'), ''), ''));

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS tool_name LowCardinality(String) DEFAULT multiIf(kind != 'tool', '', source = 'native', JSONExtractString(attributes, 'gen_ai.tool.name'), coalesce(nullIf(JSONExtractString(attributes, 'gen_ai.tool.name'), ''), nullIf(JSONExtractString(attributes, 'tool.name'), ''), nullIf(JSONExtractString(attributes, 'ai.toolCall.name'), ''), nullIf(JSONExtractString(attributes, 'lk.pii.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'lk.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'flue.tool.name'), ''), nullIf(JSONExtractString(attributes, 'traceloop.entity.name'), ''), nullIf(JSONExtractString(attributes, 'tool_name'), ''), ''));

ALTER TABLE spans_local ON CLUSTER 'main' MATERIALIZE COLUMN tool_name;

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS nodes Array(LowCardinality(String));

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS nodes Array(LowCardinality(String));

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS node_environments Array(LowCardinality(String));

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS node_environments Array(LowCardinality(String));

CREATE TABLE IF NOT EXISTS node_calls_local ON CLUSTER 'main'
(
    project_id UUID,
    hour DateTime('UTC'),
    trace_id String,
    call_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(9, 'UTC'),
    environment LowCardinality(String),
    node LowCardinality(String),
    
    caller LowCardinality(String),
    
    provider LowCardinality(String),
    prompt_name LowCardinality(String),
    agent_name LowCardinality(String),
    error UInt8,
    finished UInt8,
    duration_ms Float64,
    cost Float64
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, trace_id, call_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS node_calls ON CLUSTER 'main' AS node_calls_local ENGINE = Distributed('main', currentDatabase(), 'node_calls_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS graph_hours_local ON CLUSTER 'main'
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    
    hour DateTime('UTC'),
    seal UInt64,
    environment LowCardinality(String),
    source LowCardinality(String),
    target LowCardinality(String),
    calls UInt64,
    finished UInt64,
    errors UInt64,
    cost Float64,
    durations Array(Float64),
    duration_counts Array(UInt64)
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, hour, source, target, environment, seal)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS graph_hours ON CLUSTER 'main' AS graph_hours_local ENGINE = Distributed('main', currentDatabase(), 'graph_hours_local', cityHash64(project_id));

CREATE TABLE IF NOT EXISTS outcomes_local ON CLUSTER 'main'
(
    project_id UUID,
    
    outcome_id String,
    version UInt64,
    is_deleted UInt8,
    trace_id String,
    kind LowCardinality(String),
    
    start_time DateTime64(3, 'UTC'),
    
    value Nullable(Float64),
    currency LowCardinality(String),
    
    success Nullable(UInt8),
    
    idempotency_key String,
    
    metadata String CODEC(ZSTD(3)),
    INDEX start_time_range start_time TYPE minmax GRANULARITY 1,
    INDEX trace_ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, outcome_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS outcomes ON CLUSTER 'main' AS outcomes_local ENGINE = Distributed('main', currentDatabase(), 'outcomes_local', cityHash64(project_id, outcome_id));

CREATE TABLE IF NOT EXISTS installation_local ON CLUSTER 'main' (
    id String,
    made_at DateTime DEFAULT now()
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY id SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS installation ON CLUSTER 'main' AS installation_local ENGINE = Distributed('main', currentDatabase(), 'installation_local', rand());

ALTER TABLE calls_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt8;

ALTER TABLE calls ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt8;

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced_calls UInt32;

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced_calls UInt32;

ALTER TABLE node_calls_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS unpriced UInt32 DEFAULT startsWith(node, 'model:') AND cost = 0 AND error = 0;

ALTER TABLE node_calls ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS unpriced UInt32 DEFAULT startsWith(node, 'model:') AND cost = 0 AND error = 0;

ALTER TABLE node_calls_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt32;

ALTER TABLE node_calls ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt32;

ALTER TABLE quality_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE quality ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE model_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE model_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE model_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt64;

ALTER TABLE model_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt64;

ALTER TABLE model_hour_sketches_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE model_hour_sketches ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE quality_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE quality_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS environment LowCardinality(String);

ALTER TABLE graph_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS unpriced UInt64;

ALTER TABLE graph_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS unpriced UInt64;

ALTER TABLE graph_hours_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt64;

ALTER TABLE graph_hours ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS partly_priced UInt64;

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS usage_details String;

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS usage_details String;

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_setup UInt8;

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS is_setup UInt8;

CREATE TABLE IF NOT EXISTS comments_local ON CLUSTER 'main'
(
    project_id UUID,
    trace_id String,
    comment_id String,
    
    version UInt64,
    is_deleted UInt8,
    
    span_id String,
    
    start_time DateTime64(3, 'UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, comment_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS comments ON CLUSTER 'main' AS comments_local ENGINE = Distributed('main', currentDatabase(), 'comments_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS trace_tags_local ON CLUSTER 'main'
(
    project_id UUID,
    trace_id String,
    version UInt64,
    is_deleted UInt8,
    
    start_time DateTime64(3, 'UTC'),
    added Array(String),
    removed Array(String)
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
ORDER BY (project_id, trace_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS trace_tags ON CLUSTER 'main' AS trace_tags_local ENGINE = Distributed('main', currentDatabase(), 'trace_tags_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS span_texts_local ON CLUSTER 'main'
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
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id, span_id)
SETTINGS index_granularity = 1024, min_bytes_for_wide_part = 67108864, fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS span_texts ON CLUSTER 'main' AS span_texts_local ENGINE = Distributed('main', currentDatabase(), 'span_texts_local', cityHash64(project_id, trace_id));

ALTER TABLE spans_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS origin LowCardinality(String);

ALTER TABLE spans ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS origin LowCardinality(String);

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS origin LowCardinality(String);

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS origin LowCardinality(String);

ALTER TABLE traces_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS depth UInt32 DEFAULT span_count = 1;

ALTER TABLE traces ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS depth UInt32 DEFAULT span_count = 1;

CREATE TABLE IF NOT EXISTS span_agents_local ON CLUSTER 'main'
(
    project_id UUID,
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(9, 'UTC'),
    agent_name LowCardinality(String)
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, span_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS span_agents ON CLUSTER 'main' AS span_agents_local ENGINE = Distributed('main', currentDatabase(), 'span_agents_local', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS span_headers_local ON CLUSTER 'main'
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
    
    lot UInt8 DEFAULT cityHash64(trace_id, span_id) % 256
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_time, trace_id, span_id)
SETTINGS min_bytes_for_wide_part = 67108864, fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS span_headers ON CLUSTER 'main' AS span_headers_local ENGINE = Distributed('main', currentDatabase(), 'span_headers_local', cityHash64(project_id, trace_id));
