-- Spans of earlier releases are not in table span_headers: the job that copies their texts copies their headers too.
INSERT INTO search_backfills (project_id) SELECT id FROM projects
ON CONFLICT (project_id) DO UPDATE SET after_trace_id = '', total = NULL, copied = 0;
