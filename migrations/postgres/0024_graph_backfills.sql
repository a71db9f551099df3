-- Projects whose spans may have been stored by a release without the dependency graph. A job of the trace store derives what the graph needs of them
-- in the order of trace ids, and deletes the row when it is done.
CREATE TABLE graph_backfills (
    project_id uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    -- traces up to this id are done; null when all are
    after_trace_id text DEFAULT ''
);
INSERT INTO graph_backfills (project_id) SELECT id FROM projects;
