-- Saved views: the filter, columns and order of a list under a name (docs/semantics.md, "Saved views").
CREATE TABLE views (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    subject text NOT NULL CHECK (subject IN ('spans', 'traces', 'sessions')),
    filter text NOT NULL,
    columns text[] NOT NULL,
    sort text,
    -- as in a query: 7d, 6h
    range text,
    visibility text NOT NULL CHECK (visibility IN ('private', 'project')),
    pinned boolean NOT NULL,
    -- lists have pinned ones first
    place integer NOT NULL GENERATED ALWAYS AS (CASE WHEN pinned THEN 0 ELSE 1 END) STORED,
    owner_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- the email of the owner when it was made
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX views_project_name ON views (project_id, name) WHERE visibility = 'project';
CREATE UNIQUE INDEX views_private_name ON views (project_id, owner_id, name) WHERE visibility = 'private';
CREATE INDEX views_owner ON views (owner_id);
