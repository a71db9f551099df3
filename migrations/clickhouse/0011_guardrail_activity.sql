-- Guardrail checks of one moment, stage and environment, or what one report of the SDK counted (docs/semantics.md, "Guardrail activity").
-- Arrays named guardrail_* have one element a guardrail; latencies and timed_guardrails one element a measured result. Checked texts are not stored.
{{create_table('guardrail_activity', 'cityHash64(project_id, activity_id)')}}
(
    project_id UUID,
    -- a UUIDv7, so that rows are sorted by time; of a report, its id
    activity_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(3, 'UTC'),
    stage LowCardinality(String),
    -- '' without one
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
    -- milliseconds
    latencies Array(Float64),
    INDEX start_time_range start_time TYPE minmax GRANULARITY 1
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, activity_id)
SETTINGS {{durable}};
