-- Deleted traces whose payloads are still on disk. A mutation for each trace rewrites the same parts over and over, and each further ALTER waits for it; a job now
-- takes many traces at once.
ALTER TABLE trace_deletions ADD COLUMN hidden_at timestamptz;
COMMENT ON COLUMN trace_deletions.hidden_at IS 'since when no read includes the trace; null: the deletion is repeated from its beginning';
