-- Links that show one trace without an account. An expired one is deleted.
CREATE TABLE shares (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trace_id text NOT NULL,
    -- SHA-256 of the last segment of the link, which is shown once
    token_sha256 bytea NOT NULL CONSTRAINT shares_token UNIQUE,
    payloads boolean NOT NULL,
    redact boolean NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    views bigint NOT NULL DEFAULT 0
);
CREATE INDEX shares_trace ON shares (project_id, trace_id, created_at);
CREATE INDEX shares_expiry ON shares (expires_at);

-- Whether links of the organization's projects work and can be made.
ALTER TABLE organizations ADD COLUMN shared_links boolean NOT NULL DEFAULT true;
