-- Projects whose spans may have been stored by a release without table span_texts. A job of the trace store copies their texts in the order of trace ids, and
-- deletes the row when it is done; until then a search reads the spans themselves.
CREATE TABLE search_backfills (
    project_id uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    -- traces up to this id are done
    after_trace_id text NOT NULL DEFAULT '',
    -- rows of spans before the first portion, and those copied since; null before it
    total bigint,
    copied bigint NOT NULL DEFAULT 0
);
INSERT INTO search_backfills (project_id) SELECT id FROM projects;
