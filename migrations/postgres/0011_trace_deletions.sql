-- Deletions of traces that have begun and not ended: several inserts into ClickHouse, which a crash must not leave half done. What is
-- here is done again, from its beginning, until it has ended.
CREATE TABLE trace_deletions (
    project_id uuid NOT NULL,
    trace_id text NOT NULL,
    -- rows of the trace from this version on came later and stay
    version bigint NOT NULL,
    begun_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, trace_id)
);
