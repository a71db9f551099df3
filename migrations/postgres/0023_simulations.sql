-- Scenarios and their batch runs (docs/semantics.md, "Simulations").
CREATE TABLE simulation_scenarios (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    -- JSON, with "***" for the values of secret headers
    target text NOT NULL,
    -- JSON of the secret headers by lower-case name, sealed for the scenario's id
    sealed_headers text,
    -- deleting the dataset is refused while a scenario names it
    dataset_id uuid NOT NULL REFERENCES datasets (id),
    reference_match text CHECK (reference_match IN ('exact', 'fuzzy')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT simulation_scenarios_name UNIQUE (project_id, name)
);
CREATE INDEX simulation_scenarios_list ON simulation_scenarios (project_id, created_at, id);
CREATE INDEX simulation_scenarios_dataset ON simulation_scenarios (dataset_id);

CREATE TABLE simulation_scenario_evaluators (
    scenario_id uuid NOT NULL REFERENCES simulation_scenarios (id) ON DELETE CASCADE,
    -- by id: the slug may change; deleting the evaluator is refused while a scenario names it
    evaluator_id uuid NOT NULL REFERENCES evaluators (id),
    position integer NOT NULL,
    PRIMARY KEY (scenario_id, evaluator_id)
);
CREATE INDEX simulation_scenario_evaluators_evaluator ON simulation_scenario_evaluators (evaluator_id);

-- A leased queue (src/platform/jobs/leased-queue). The process that holds the lease of a run sends all of its items.
CREATE TABLE simulation_batch_runs (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- no references: a run outlives its scenario, and has a copy of what it needs of it
    scenario_id uuid NOT NULL,
    scenario_name text NOT NULL,
    target text NOT NULL,
    sealed_headers text,
    -- JSON array of ids
    evaluators text NOT NULL,
    reference_match text,
    dataset_id uuid NOT NULL,
    dataset_run_id uuid NOT NULL,
    label text,
    concurrency integer NOT NULL,
    repetitions integer NOT NULL,
    total integer NOT NULL,
    created_by text NOT NULL,
    -- the version of the prompt, once the run has started
    prompt_version integer,
    first_started_at timestamptz,
    -- set once cancelling was requested
    cancelled_at timestamptz,
    -- figures of a run that has ended
    passed integer,
    not_passed integer,
    errors integer,
    cancelled integer,
    latency_p50_ms double precision,
    latency_p95_ms double precision,
    cost_usd double precision,
    lane text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    attempts integer NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    lease_id uuid,
    error text,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
CREATE INDEX simulation_batch_runs_due ON simulation_batch_runs (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX simulation_batch_runs_leases ON simulation_batch_runs (lease_until) WHERE status = 'running';
CREATE INDEX simulation_batch_runs_unfinished ON simulation_batch_runs (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX simulation_batch_runs_list ON simulation_batch_runs (project_id, created_at, id);
CREATE INDEX simulation_batch_runs_scenario ON simulation_batch_runs (scenario_id, created_at, id);

-- The dataset's items as of the start of a run; deleted when it has ended.
CREATE TABLE simulation_inputs (
    batch_run_id uuid NOT NULL REFERENCES simulation_batch_runs (id) ON DELETE CASCADE,
    place bigint NOT NULL,
    input text NOT NULL,
    expected_output text,
    metadata text NOT NULL,
    PRIMARY KEY (batch_run_id, place)
);

CREATE TABLE simulation_items (
    batch_run_id uuid NOT NULL REFERENCES simulation_batch_runs (id) ON DELETE CASCADE,
    -- that of the dataset's item
    place bigint NOT NULL,
    repetition integer NOT NULL,
    dataset_item_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'passed', 'failed', 'error', 'cancelled')),
    -- the target's answer is recorded: the item is not sent again
    answered boolean NOT NULL DEFAULT false,
    output text,
    error text,
    error_kind text CHECK (error_kind IN ('target', 'evaluator')),
    latency_ms double precision,
    cost_usd double precision,
    trace_id text,
    reference_match boolean,
    -- JSON; NULL without scores
    scores text,
    PRIMARY KEY (batch_run_id, place, repetition)
);
CREATE INDEX simulation_items_pending ON simulation_items (batch_run_id, place, repetition) WHERE status = 'pending';
