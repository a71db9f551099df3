-- A project's own prices of models (docs/semantics.md, "Prices of a project"). US dollars per million tokens.
CREATE TABLE project_prices (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- as recorded on calls
    model text COLLATE "C" NOT NULL,
    input_per_million double precision NOT NULL,
    output_per_million double precision NOT NULL,
    cached_input_per_million double precision,
    cache_write_per_million double precision,
    -- start of the first calls that it applies to, as the API returns it; NULL: all calls
    applies_from text,
    updated_by text NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, model)
);

-- Repricings: a leased queue (src/platform/jobs/leased-queue).
CREATE TABLE repricings (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    -- start times in epoch milliseconds; the end is exclusive
    from_ms bigint NOT NULL,
    before_ms bigint NOT NULL,
    -- JSON array; NULL: all models
    models text,
    dry_run boolean NOT NULL,
    -- JSON of the project's own prices when it was queued, so that one price list applies to all pages
    prices text NOT NULL,
    created_by text NOT NULL,
    -- ids of the last span of the last complete page
    after_trace_id text NOT NULL DEFAULT '',
    after_span_id text NOT NULL DEFAULT '',
    -- JSON of the page that is being written: its end and its counts
    page text,
    spans bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    -- exact, so that the number of pages does not show
    cost_before numeric NOT NULL DEFAULT 0,
    cost_after numeric NOT NULL DEFAULT 0,
    -- its end is in the audit log, or, for a dry run, it has ended
    ended boolean NOT NULL DEFAULT false,
    lane text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    lease_id uuid,
    error text,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
CREATE INDEX repricings_due ON repricings (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX repricings_leases ON repricings (lease_until) WHERE status = 'running';
-- one at a time in a project
CREATE UNIQUE INDEX repricings_unfinished ON repricings (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX repricings_list ON repricings (project_id, created_at, id);
