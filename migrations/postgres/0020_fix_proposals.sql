-- The version that `latest` is on: the newest one that is no proposal. last_version is the highest number.
ALTER TABLE prompt_families ADD COLUMN latest_version integer;
UPDATE prompt_families SET latest_version = last_version;
ALTER TABLE prompt_families ALTER COLUMN latest_version SET NOT NULL;

-- A fix proposal that no person has labelled yet (docs/semantics.md, "Fix proposals").
ALTER TABLE prompt_versions ADD COLUMN proposal boolean NOT NULL DEFAULT false;

-- Runs that propose a new version of a prompt for an incident: a leased queue (src/platform/jobs/leased-queue).
CREATE TABLE fix_proposals (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    incident_id uuid NOT NULL,
    -- no references: the record outlives the prompt and the connection
    prompt_name text NOT NULL,
    base_version integer NOT NULL,
    base_version_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    -- JSON: the incident without its traces, and the trace ids, as of the request
    incident text NOT NULL,
    trace_ids text NOT NULL,
    -- the retention edge as of the request, epoch milliseconds
    oldest_ms double precision NOT NULL,
    requested_by text NOT NULL,
    lane text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    lease_id uuid,
    error text,
    -- set in the transaction that stores the version; the diff is JSON
    proposed_version integer,
    rationale text,
    diff text,
    cost_usd double precision,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
CREATE UNIQUE INDEX fix_proposals_queued ON fix_proposals (incident_id) WHERE status = 'queued';
CREATE INDEX fix_proposals_due ON fix_proposals (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX fix_proposals_leases ON fix_proposals (lease_until) WHERE status = 'running';
CREATE INDEX fix_proposals_unfinished ON fix_proposals (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX fix_proposals_list ON fix_proposals (incident_id, created_at, id);
