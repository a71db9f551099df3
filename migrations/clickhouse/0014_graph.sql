-- Name of the tool that a span of kind tool runs; '' where only the span's name tells it, and for spans of other kinds. Spans stored before this
-- column take it from their attributes.
{{add_column('spans')}} tool_name LowCardinality(String) DEFAULT multiIf(kind != 'tool', '', source = 'native', JSONExtractString(attributes, 'gen_ai.tool.name'), coalesce(nullIf(JSONExtractString(attributes, 'gen_ai.tool.name'), ''), nullIf(JSONExtractString(attributes, 'tool.name'), ''), nullIf(JSONExtractString(attributes, 'ai.toolCall.name'), ''), nullIf(JSONExtractString(attributes, 'lk.pii.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'lk.function_tool.name'), ''), nullIf(JSONExtractString(attributes, 'flue.tool.name'), ''), nullIf(JSONExtractString(attributes, 'traceloop.entity.name'), ''), nullIf(JSONExtractString(attributes, 'tool_name'), ''), ''));
{{alter_table('spans')}} MATERIALIZE COLUMN tool_name;

-- Nodes of the dependency graph that a trace contains, as '<type>:<name>', each with the environment of the spans behind it: a node with spans of
-- two environments is listed twice. Traces stored before these columns get them from the table graph_backfills of PostgreSQL.
{{add_column('traces')}} nodes Array(LowCardinality(String));
{{add_column('traces')}} node_environments Array(LowCardinality(String));

-- Derived as calls is. One row is one call of a node of the dependency graph: a span, or a trace of a service (call_id = '/' and the service).
{{create_table('node_calls', 'cityHash64(project_id, trace_id)')}}
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
    -- node of the nearest ancestor, else the service; '' without one
    caller LowCardinality(String),
    -- of calls of a model
    provider LowCardinality(String),
    prompt_name LowCardinality(String),
    agent_name LowCardinality(String),
    error UInt8,
    finished UInt8,
    duration_ms Float64,
    cost Float64
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, hour, trace_id, call_id)
SETTINGS {{durable}};

-- Sealed hours of node_calls: sums of a node (source = '') or of an edge, with rounded durations and how often each occurs.
{{create_table('graph_hours', 'cityHash64(project_id)')}}
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    -- start of the hour, or of the day
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
ENGINE = {{merge_tree}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, hour, source, target, environment, seal)
SETTINGS {{durable}};
