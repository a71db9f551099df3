-- What scores the data of a project. Free-form parts are JSON texts, since jsonb refuses characters that a caller may well send.
CREATE TABLE evaluators (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    slug text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    config text NOT NULL,
    target text NOT NULL CHECK (target IN ('span', 'trace', 'session')),
    filter text NOT NULL,
    sample_rate double precision NOT NULL,
    pass_threshold double precision,
    idle_minutes integer NOT NULL,
    enabled boolean NOT NULL,
    -- since when it has been enabled: what came before is not evaluated
    enabled_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT evaluators_slug UNIQUE (project_id, slug)
);

-- Runs of evaluators: the queue of those to come and the record of those that were, in one row each (ADR 4).
CREATE TABLE evaluations (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- no reference: the record outlives its evaluator
    evaluator_id uuid NOT NULL,
    evaluator text NOT NULL,
    lane text NOT NULL CHECK (lane IN ('quick', 'judge')),
    target_type text NOT NULL CHECK (target_type IN ('span', 'trace', 'session', 'run_item')),
    trace_id text NOT NULL DEFAULT '',
    span_id text NOT NULL DEFAULT '',
    -- as a JSON text, '' for none: an id may hold a NUL character
    session_id text NOT NULL DEFAULT '',
    run_item_id uuid,
    -- names evaluator and target for good, and so the score
    score_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'skipped')),
    -- names what was evaluated and how; '' until then
    content_hash text NOT NULL DEFAULT '',
    score double precision,
    passed boolean,
    comment text,
    error text,
    attempts integer NOT NULL DEFAULT 0,
    input_tokens bigint,
    output_tokens bigint,
    cost_usd double precision,
    run_at timestamptz NOT NULL,
    -- while it runs: until when the process that runs it is taken to live
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
-- One target waits at most once for an evaluator, however often it is sent.
CREATE UNIQUE INDEX evaluations_queued ON evaluations (score_id) WHERE status = 'queued';
CREATE INDEX evaluations_target ON evaluations (score_id, created_at);
CREATE INDEX evaluations_due ON evaluations (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX evaluations_leases ON evaluations (lease_until) WHERE status = 'running';
CREATE INDEX evaluations_waiting ON evaluations (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX evaluations_list ON evaluations (project_id, created_at, id);
CREATE INDEX evaluations_trace ON evaluations (project_id, trace_id) WHERE trace_id <> '';
CREATE INDEX evaluations_finished ON evaluations (project_id, finished_at) WHERE status IN ('completed', 'failed', 'skipped');

-- Evaluations that found the queue full, by the hour.
CREATE TABLE evaluation_refusals (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    hour timestamptz NOT NULL,
    refused bigint NOT NULL,
    PRIMARY KEY (project_id, hour)
);

-- When sessions were last active, in projects that evaluate sessions.
CREATE TABLE evaluation_sessions (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    session_key uuid NOT NULL,
    -- as a JSON text
    session_id text NOT NULL,
    last_span_at timestamptz NOT NULL,
    -- whether it may still have to complete for some evaluator
    open boolean NOT NULL,
    PRIMARY KEY (project_id, session_key)
);
CREATE INDEX evaluation_sessions_open ON evaluation_sessions (project_id, last_span_at, session_key) WHERE open;
CREATE INDEX evaluation_sessions_age ON evaluation_sessions (project_id, last_span_at);

-- Which activity of a session its last completion for an evaluator has answered.
CREATE TABLE session_completions (
    evaluator_id uuid NOT NULL REFERENCES evaluators (id) ON DELETE CASCADE,
    session_key uuid NOT NULL,
    last_span_at timestamptz NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (evaluator_id, session_key)
);
CREATE INDEX session_completions_age ON session_completions (completed_at);
