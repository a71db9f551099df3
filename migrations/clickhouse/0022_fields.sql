-- What a span was made for: an application's own work, a simulation, the playground, an evaluation. '' in rows of earlier releases, where agent, environment and tag
-- mark a simulation. Of a trace likewise.
{{add_column('spans')}} origin LowCardinality(String);
{{add_column('traces')}} origin LowCardinality(String);
-- Levels of spans: 1 of a root alone, 0 without a span. Of earlier traces of several spans it is not known (0) until a span of the trace arrives.
{{add_column('traces')}} depth UInt32 DEFAULT span_count = 1;

-- Derived as calls is. One row is the agent of a span that names none and is no call: that of the nearest agent above it.
{{create_table('span_agents', 'cityHash64(project_id, trace_id)')}}
(
    project_id UUID,
    trace_id String,
    span_id String,
    version UInt64,
    is_deleted UInt8,
    start_time DateTime64(9, 'UTC'),
    agent_name LowCardinality(String)
)
ENGINE = {{replacing('version, is_deleted')}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, trace_id, span_id)
SETTINGS {{durable}};
