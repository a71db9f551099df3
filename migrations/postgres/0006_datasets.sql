-- Whatever JSON people send is kept as text: jsonb would change numbers and refuse \u0000.
CREATE TABLE datasets (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    metadata text NOT NULL,
    -- the place of the newest item; a place is never given twice. Writers of items take turns on this row.
    last_place bigint NOT NULL DEFAULT 0,
    item_count bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT datasets_name UNIQUE (project_id, name)
);
CREATE INDEX datasets_newest ON datasets (project_id, created_at, id);

CREATE TABLE dataset_items (
    id uuid PRIMARY KEY,
    dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    -- the order of the items
    place bigint NOT NULL,
    input text NOT NULL,
    -- NULL: the item has none; the text 'null': it is JSON's null
    expected_output text,
    metadata text NOT NULL,
    source_trace_id text,
    source_span_id text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT dataset_items_place UNIQUE (dataset_id, place)
);

CREATE TABLE dataset_runs (
    id uuid PRIMARY KEY,
    dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    name text NOT NULL,
    metadata text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX dataset_runs_newest ON dataset_runs (dataset_id, created_at, id);

CREATE TABLE dataset_run_items (
    id uuid PRIMARY KEY,
    run_id uuid NOT NULL REFERENCES dataset_runs (id) ON DELETE CASCADE,
    dataset_item_id uuid NOT NULL REFERENCES dataset_items (id) ON DELETE CASCADE,
    trace_id text,
    output text,
    latency_ms double precision,
    cost_usd double precision,
    -- JSON: a message, or true; NULL when the item did not fail
    error text,
    created_at timestamptz NOT NULL,
    CONSTRAINT dataset_run_items_item UNIQUE (run_id, dataset_item_id)
);
CREATE INDEX dataset_run_items_dataset_item ON dataset_run_items (dataset_item_id);

CREATE TABLE dataset_run_scores (
    run_item_id uuid NOT NULL REFERENCES dataset_run_items (id) ON DELETE CASCADE,
    evaluator text NOT NULL,
    score double precision NOT NULL,
    passed boolean,
    comment text,
    scored_at timestamptz NOT NULL,
    CONSTRAINT dataset_run_scores_pkey PRIMARY KEY (run_item_id, evaluator)
);
