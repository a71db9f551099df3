-- Events accepted per organisation and calendar month (UTC): the quota.
CREATE TABLE usage_months (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    month date NOT NULL,
    events bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, month)
);

-- Which log segments have been counted, so that a replay counts nothing twice.
CREATE TABLE counted_segments (
    log_id uuid NOT NULL,
    segment_id bigint NOT NULL,
    -- the highest row version in the segment: versions go on rising from here after a restart, whatever the clock says
    max_version bigint NOT NULL,
    PRIMARY KEY (log_id, segment_id)
);

-- Events received per project and minute, kept for a little over a day, and when the last ones came: the ingest health.
CREATE TABLE ingest_minutes (
    project_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (project_id, minute)
);
CREATE INDEX ingest_minutes_age ON ingest_minutes (minute);

CREATE TABLE ingest_activity (
    project_id uuid PRIMARY KEY,
    last_event_at timestamptz NOT NULL,
    last_span_at timestamptz
);

-- What is known of each hour that has figures. A batch raises `dirty` before and after it writes to ClickHouse; the sealing job copies
-- the value it read to `sealed` together with the new `seal`. An hour with dirty > sealed is read from its rows.
CREATE TABLE hour_states (
    project_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    dirty bigint NOT NULL DEFAULT 1,
    -- when it was last touched, and since when it waits for its sealing
    dirty_at timestamptz NOT NULL,
    dirty_since timestamptz NOT NULL,
    sealed bigint NOT NULL DEFAULT 0,
    -- 0: never sealed
    seal bigint NOT NULL DEFAULT 0,
    sealed_at timestamptz,
    PRIMARY KEY (project_id, hour)
);
CREATE INDEX hour_states_unsealed ON hour_states (dirty_at) WHERE dirty > sealed;

-- Names of sealings, rising. A number is never given twice, also when the sealing that took it was cut short.
CREATE SEQUENCE hour_seals;
