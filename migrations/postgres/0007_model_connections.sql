-- An OpenAI-compatible chat endpoint that a project's judges talk to. sealed_key: encrypted with the installation's secret, with the
-- connection's id as additional data (src/platform/crypto/secret-box.ts); null: the endpoint takes no key.
CREATE TABLE model_connections (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    base_url text NOT NULL,
    model text NOT NULL,
    sealed_key text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT model_connections_name UNIQUE (project_id, name)
);
CREATE INDEX model_connections_page ON model_connections (project_id, created_at, id);
