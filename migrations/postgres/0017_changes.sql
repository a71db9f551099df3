-- Changes of what a project runs (docs/semantics.md, "Changes").
CREATE TABLE changes (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('deploy', 'config', 'prompt', 'model')),
    service text,
    version text,
    commit_sha text,
    environment text,
    actor text,
    url text,
    description text,
    idempotency_key text,
    -- JSON object
    metadata text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT changes_idempotency_key UNIQUE (project_id, idempotency_key)
);
CREATE INDEX changes_at ON changes (project_id, at DESC, id DESC);

-- Audit entries that are changes too, for project_changes.
CREATE INDEX audit_entries_changes ON audit_entries (project_id, at DESC, id DESC)
    WHERE kind IN ('prompt.labels_moved', 'policy.applied', 'guardrail.created', 'guardrail.updated', 'guardrail.deleted',
        'evaluator.created', 'evaluator.updated', 'evaluator.deleted');

-- Reported changes, and those that the service made itself.
CREATE VIEW project_changes AS
SELECT id, project_id, at, kind, service, version, commit_sha, environment, actor, url, description, metadata, created_at, NULL AS audit_kind
FROM changes
UNION ALL
SELECT id, project_id, at, CASE kind WHEN 'prompt.labels_moved' THEN 'prompt' ELSE 'config' END, NULL, NULL, NULL, NULL,
    coalesce(actor_name, 'system'), NULL, NULL, detail, at, kind
FROM audit_entries
WHERE kind IN ('prompt.labels_moved', 'policy.applied', 'guardrail.created', 'guardrail.updated', 'guardrail.deleted',
    'evaluator.created', 'evaluator.updated', 'evaluator.deleted');
