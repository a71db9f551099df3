-- Sealed hours. The rows of an hour count only under the seal that PostgreSQL's hour_states names for it, so that replacing an
-- hour is one update there; rows of older seals are deleted in the background. Days that are over have rows of their own (`grain`),
-- which hold what their hours' rows hold together.

-- Calls of an hour by model, and by model and each value of one further column (`dimension`, `item`); 'model': the model as a whole.
-- One row a value, not one for every combination of them, so that an hour stays small.
{{create_table('model_hours', 'cityHash64(project_id)')}}
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    -- start of the hour, or of the day
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
ENGINE = {{merge_tree}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, dimension, model, hour, seal)
SETTINGS {{durable}};

-- Per model and sealed hour: rounded durations of finished calls with how often each occurs, and the hashes of its traces.
{{create_table('model_hour_sketches', 'cityHash64(project_id)')}}
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    -- start of the hour, or of the day
    hour DateTime('UTC'),
    seal UInt64,
    model LowCardinality(String),
    durations Array(Float64),
    duration_counts Array(UInt64),
    traces Array(UInt64)
)
ENGINE = {{merge_tree}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, model, hour, seal)
SETTINGS {{durable}};

{{create_table('quality_hours', 'cityHash64(project_id)')}}
(
    project_id UUID,
    grain Enum8('day' = 1, 'hour' = 2),
    -- start of the hour, or of the day
    hour DateTime('UTC'),
    seal UInt64,
    model LowCardinality(String),
    evaluator LowCardinality(String),
    evals UInt64,
    score_sum Float64,
    passed UInt64,
    failed UInt64
)
ENGINE = {{merge_tree}}
PARTITION BY toYYYYMM(hour)
ORDER BY (project_id, grain, model, hour, seal)
SETTINGS {{durable}};
