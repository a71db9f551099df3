-- Environments, guardrails, and the revisions of both (docs/semantics.md, "Policies").

-- The lock of every change, the latest revision, and the files that were applied last.
CREATE TABLE policy_projects (
    project_id uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    revision integer NOT NULL DEFAULT 0,
    -- JSON: [{path, sha256}] in the order of the paths; null until files are applied
    files text,
    applied_at timestamptz,
    applied_by text,
    applied_revision integer
);

CREATE TABLE environments (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    description text NOT NULL,
    managed_by text NOT NULL CHECK (managed_by IN ('dashboard', 'code')),
    -- code managed it until it was detached
    detached boolean NOT NULL DEFAULT false,
    -- the applied file that it stands in; null for the dashboard's own
    path text,
    -- the email of a user; 'system'
    updated_by text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT environments_name UNIQUE (project_id, name)
);

CREATE TABLE guardrails (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    slug text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    stage text NOT NULL CHECK (stage IN ('input', 'output', 'both')),
    action text NOT NULL CHECK (action IN ('block', 'redact', 'flag')),
    -- JSON, as it was given
    config text NOT NULL,
    -- names; null: everywhere
    environments text[],
    priority integer NOT NULL,
    enabled boolean NOT NULL,
    on_error text NOT NULL CHECK (on_error IN ('allow', 'block')),
    managed_by text NOT NULL CHECK (managed_by IN ('dashboard', 'code')),
    detached boolean NOT NULL DEFAULT false,
    path text,
    updated_by text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT guardrails_slug UNIQUE (project_id, slug)
);

-- What every environment and guardrail was at a revision.
CREATE TABLE policy_revisions (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    revision integer NOT NULL,
    at timestamptz NOT NULL,
    by text NOT NULL,
    source text NOT NULL CHECK (source IN ('code', 'dashboard')),
    -- JSON: {create, update, remove, none}
    summary text NOT NULL,
    audit_log_id uuid NOT NULL,
    -- JSON: [{kind, name, managedBy, detached, path, sha256}]; sha256 names the specification in policy_contents
    policies text NOT NULL,
    -- JSON, as policy_projects.files: the applied files at this revision
    files text,
    PRIMARY KEY (project_id, revision)
);

-- Texts of files and specifications by their SHA-256, once for all revisions.
CREATE TABLE policy_contents (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    sha256 text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (project_id, sha256)
);

CREATE TABLE policy_plans (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    revision integer NOT NULL,
    -- SHA-256 of the planned files
    files_sha256 text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX policy_plans_expiry ON policy_plans (expires_at);
