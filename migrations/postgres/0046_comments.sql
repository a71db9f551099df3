-- Comments on traces and spans (docs/semantics.md, "Comments").
CREATE TABLE comments (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trace_id text NOT NULL,
    -- '' on the trace as a whole
    span_id text NOT NULL,
    body text NOT NULL,
    -- JSON; NULL without one
    anchor text,
    -- no reference: a comment outlives the account of its author, under the name that the author had
    author_id uuid NOT NULL,
    author_name text NOT NULL,
    created_at timestamptz NOT NULL,
    edited_at timestamptz,
    resolved_at timestamptz,
    -- the start of the newest record of the trace, as far as known: the trace is not expired before that is
    trace_time timestamptz NOT NULL
);
CREATE INDEX comments_of_trace ON comments (project_id, trace_id, created_at, id);
CREATE INDEX comments_by_age ON comments (project_id, least(created_at, trace_time));

-- Who is mentioned in a comment.
CREATE TABLE comment_mentions (
    comment_id uuid NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    read_at timestamptz,
    -- when the mail is to be sent, or sent again; NULL: it was sent, given up, or is not to be sent
    mail_due_at timestamptz,
    mail_attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (comment_id, user_id)
);
CREATE INDEX comment_mentions_of_user ON comment_mentions (user_id, created_at, comment_id);
CREATE INDEX comment_mentions_mail ON comment_mentions (mail_due_at) WHERE mail_due_at IS NOT NULL;

-- Rows that ClickHouse's table `comments`, by which filters find what is commented, is still to get. No references: they outlive the comment.
CREATE TABLE comment_rows (
    comment_id uuid NOT NULL,
    -- 1: it is there; 2: it is deleted
    version integer NOT NULL CHECK (version IN (1, 2)),
    project_id uuid NOT NULL,
    trace_id text NOT NULL,
    span_id text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (comment_id, version)
);
