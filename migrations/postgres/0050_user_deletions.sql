-- What the deletion of a user's data has deleted so far (docs/semantics/traces.md, "Deletion of a user's data"): counted in the transactions that record the
-- deletions of traces, so that a repeated page counts once.
CREATE TABLE user_deletions (
    job_id uuid PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    traces integer NOT NULL DEFAULT 0,
    spans integer NOT NULL DEFAULT 0,
    scores integer NOT NULL DEFAULT 0,
    outcomes integer NOT NULL DEFAULT 0,
    -- start of the newest deleted span, epoch milliseconds; NULL without one
    newest_ms double precision,
    -- JSON, at the end
    receipt text
);
