-- A prompt family: all versions of one name within a project. Names sort by code point.
CREATE TABLE prompt_families (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    -- the name in lower case, for searching: the database's own lower() depends on its locale
    search_name text NOT NULL,
    tags text[] NOT NULL,
    folder text COLLATE "C",
    -- the newest version; `latest` is derived from it
    last_version integer NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT prompt_families_name UNIQUE (project_id, name)
);
CREATE INDEX prompt_families_folder ON prompt_families (project_id, folder) WHERE folder IS NOT NULL;

CREATE TABLE prompt_versions (
    id uuid PRIMARY KEY,
    family_id uuid NOT NULL REFERENCES prompt_families (id) ON DELETE CASCADE,
    version integer NOT NULL,
    type text NOT NULL CHECK (type IN ('text', 'chat')),
    prompt text NOT NULL,
    -- JSON as a text, which unlike jsonb keeps everything that JSON can say, NUL among it
    config text NOT NULL,
    commit_message text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT prompt_versions_number UNIQUE (family_id, version)
);

-- A label sits on one version of its family.
CREATE TABLE prompt_labels (
    family_id uuid NOT NULL REFERENCES prompt_families (id) ON DELETE CASCADE,
    label text COLLATE "C" NOT NULL,
    version_id uuid NOT NULL REFERENCES prompt_versions (id) ON DELETE CASCADE,
    PRIMARY KEY (family_id, label)
);
CREATE INDEX prompt_labels_version ON prompt_labels (version_id);

-- Which families a version's text refers to: a family goes only when no other one refers to it.
CREATE TABLE prompt_references (
    version_id uuid NOT NULL REFERENCES prompt_versions (id) ON DELETE CASCADE,
    family_id uuid NOT NULL REFERENCES prompt_families (id) ON DELETE CASCADE,
    PRIMARY KEY (version_id, family_id)
);
CREATE INDEX prompt_references_family ON prompt_references (family_id);
