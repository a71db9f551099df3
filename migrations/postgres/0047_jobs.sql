-- Durable jobs (docs/semantics/jobs.md). A leased queue (src/platform/jobs/leased-queue); a job works through pages of a set that is fixed when it is made.
CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    type text NOT NULL,
    -- JSON: what to do, as the type wrote it, and who asked for it
    input text NOT NULL,
    actor text NOT NULL,
    created_by text NOT NULL,
    matched integer NOT NULL DEFAULT 0,
    pages integer NOT NULL DEFAULT 0,
    -- progress: the first page that is not recorded
    next_page integer NOT NULL DEFAULT 0,
    done integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    -- JSON array of the first failures
    errors text NOT NULL DEFAULT '[]',
    -- JSON that the type keeps between pages
    state text,
    result text,
    -- from here on the job is over, whatever the process that runs it still does
    cancelled_at timestamptz,
    completed_at timestamptz,
    lane text NOT NULL,
    -- 'preparing': its set is being stored
    status text NOT NULL CHECK (status IN ('preparing', 'queued', 'running', 'completed', 'failed', 'cancelled')),
    attempts integer NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    lease_id uuid,
    error text,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
CREATE INDEX jobs_due ON jobs (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX jobs_leases ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_unfinished ON jobs (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_list ON jobs (project_id, created_at, id);

-- The set of a job that is not over.
CREATE TABLE job_pages (
    job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    page integer NOT NULL,
    items text[] NOT NULL,
    -- those that the job has done although the page is not recorded yet
    noted text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (job_id, page)
);
