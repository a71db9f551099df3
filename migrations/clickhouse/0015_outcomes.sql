-- Business outcomes of traces (docs/semantics.md, "Outcomes"). Sorted by the outcome's id alone, so that an outcome with the idempotency key of an
-- earlier one replaces it also where it names another trace or another time.
{{create_table('outcomes', 'cityHash64(project_id, outcome_id)')}}
(
    project_id UUID,
    -- a UUIDv7; with an idempotency key one that is derived from the project and the key
    outcome_id String,
    version UInt64,
    is_deleted UInt8,
    trace_id String,
    kind LowCardinality(String),
    -- when it occurred
    start_time DateTime64(3, 'UTC'),
    -- NULL not said
    value Nullable(Float64),
    currency LowCardinality(String),
    -- 1 success, 0 failure, NULL not said
    success Nullable(UInt8),
    -- '' without one
    idempotency_key String,
    -- JSON text of an object, '' without one
    metadata String CODEC(ZSTD(3)),
    INDEX start_time_range start_time TYPE minmax GRANULARITY 1,
    INDEX trace_ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, outcome_id)
SETTINGS {{durable}};
