-- Findings about called models that are retired soon (docs/semantics.md, "Model lifecycle").
CREATE TABLE lifecycle_findings (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- as called; provider '' where the calls name none
    model text NOT NULL,
    provider text NOT NULL,
    -- whether the last scan found it: its model is called, and its date is near
    present boolean NOT NULL,
    -- YYYY-MM-DD as text, which no time zone shifts
    retires_on text NOT NULL,
    replacement text,
    source text,
    state text NOT NULL CHECK (state IN ('open', 'dismissed')),
    raised_at timestamptz NOT NULL,
    -- the nearest band in which it was ever raised
    raised_band integer NOT NULL,
    dismissed_at timestamptz,
    dismissed_by text,
    dismissed_band integer,
    calls bigint NOT NULL,
    cost double precision NOT NULL,
    agents text[] NOT NULL,
    last_called_at timestamptz NOT NULL,
    CONSTRAINT lifecycle_findings_model UNIQUE (project_id, model, provider)
);

CREATE TABLE lifecycle_scans (
    project_id uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    scanned_at timestamptz NOT NULL
);

-- Retirement dates of a project's own.
CREATE TABLE lifecycle_overrides (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    model text NOT NULL,
    -- null: whatever the provider
    provider text,
    retires_on text NOT NULL,
    replacement text,
    source text,
    updated_by text NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, model)
);

-- The catalogue that the operator imported, which replaces the shipped one. At most one row.
CREATE TABLE lifecycle_catalogue (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    -- JSON: {reviewedOn, models}
    content text NOT NULL,
    imported_at timestamptz NOT NULL
);
