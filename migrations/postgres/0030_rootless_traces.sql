-- Traces of which every span names a parent, in projects that evaluate traces, until they are idle. Such a trace continues one of a service that sends no spans, or
-- its root has yet to arrive.
CREATE TABLE evaluation_rootless_traces (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trace_id text NOT NULL,
    last_span_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, trace_id)
);
CREATE INDEX evaluation_rootless_traces_age ON evaluation_rootless_traces (project_id, last_span_at, trace_id);
