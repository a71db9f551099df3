-- Alert rules and incidents (docs/semantics.md, "Alert rules", "Incidents").
CREATE TABLE alert_rules (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    type text NOT NULL,
    threshold double precision,
    -- such as 15m
    window_name text,
    -- JSON object
    filter text NOT NULL,
    environment text,
    group_by text,
    min_count bigint,
    for_minutes integer NOT NULL,
    -- null: the threshold
    recovery_threshold double precision,
    no_data text NOT NULL,
    renotify_minutes integer,
    enabled boolean NOT NULL,
    -- counted up by every change and every evaluation; an evaluation that began with another one is dropped
    version bigint NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'firing', 'no_data')),
    last_value double precision,
    last_evaluated_at timestamptz,
    last_error text,
    -- since when evaluations have succeeded without a gap; null: as long as the job runs
    observed_since timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT alert_rules_name UNIQUE (project_id, name)
);
CREATE INDEX alert_rules_created ON alert_rules (project_id, created_at, id);
CREATE INDEX alert_rules_environment ON alert_rules (project_id, environment) WHERE environment IS NOT NULL;

-- What a rule remembers of each scope; scope '' is that of a rule without groups.
CREATE TABLE alert_scopes (
    rule_id uuid NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
    scope text NOT NULL,
    -- whether the condition held when it was last known
    holds boolean NOT NULL,
    -- milliseconds for which the condition has been seen to hold; null: it does not, or the rule fires
    held_ms bigint,
    -- evaluations in a row in which a firing rule had recovered
    recovered integer NOT NULL,
    -- a person resolved the incident while the condition held
    suppressed boolean NOT NULL,
    -- the incident that is open
    incident_id uuid,
    evaluated_at timestamptz NOT NULL,
    PRIMARY KEY (rule_id, scope)
);

-- Since when rules have been evaluated without a gap. At most one row.
CREATE TABLE alert_observation (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    -- null: since ever
    observed_since timestamptz,
    evaluated_at timestamptz NOT NULL
);

CREATE TABLE incidents (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- no foreign key: incidents of deleted rules stay listed
    rule_id uuid NOT NULL,
    rule_name text NOT NULL,
    type text NOT NULL,
    -- '' for a rule without groups
    scope text NOT NULL,
    environment text,
    status text NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
    opened_at timestamptz NOT NULL,
    acknowledged_at timestamptz,
    acknowledged_by text,
    resolved_at timestamptz,
    resolved_by text,
    resolution text,
    value double precision,
    peak_value double precision,
    threshold double precision,
    summary text NOT NULL,
    sample_trace_ids text[] NOT NULL,
    -- JSON array of the changes of the 24 hours before
    changes text NOT NULL,
    -- when the opening was last announced
    notified_at timestamptz NOT NULL
);
CREATE INDEX incidents_opened ON incidents (project_id, opened_at DESC, id DESC);
CREATE INDEX incidents_rule ON incidents (rule_id, opened_at DESC, id DESC);
CREATE UNIQUE INDEX incidents_open ON incidents (rule_id, scope) WHERE status <> 'resolved';
CREATE INDEX incidents_open_of_project ON incidents (project_id) WHERE status <> 'resolved';

CREATE TABLE incident_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    incident_id uuid NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    by text,
    note text
);
CREATE INDEX incident_events_incident ON incident_events (incident_id, id);
