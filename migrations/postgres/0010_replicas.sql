-- What several replicas share.

-- Token buckets of the rate limit. Not logged: a commit costs no fsync, and after a crash of the server every bucket is full.
CREATE UNLOGGED TABLE rate_buckets (
    name text PRIMARY KEY,
    tokens double precision NOT NULL,
    -- the time that `tokens` is of, epoch milliseconds
    at_ms bigint NOT NULL,
    -- how many tokens the last taker got
    granted integer NOT NULL
) WITH (fillfactor = 50);

-- Facts about the installation as a whole.
CREATE TABLE installation (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- Request bodies of the last minutes that count against the quota, by the SHA-256 of key and bytes: whichever replica a repetition
-- comes to, it counts nothing.
CREATE TABLE counted_bodies (
    digest bytea PRIMARY KEY,
    received_at timestamptz NOT NULL
);
CREATE INDEX counted_bodies_age ON counted_bodies (received_at);

-- Which traces a replica's batch touched, and from when to when: between its look-up of what was stored and the end of its writing it did
-- not see what others wrote. Traces of overlapping notes of different replicas are derived anew (ADR 0008).
CREATE TABLE trace_notes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    replica uuid NOT NULL,
    project_id uuid NOT NULL,
    trace_ids text[] NOT NULL,
    began_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    settled boolean NOT NULL DEFAULT false
);
CREATE INDEX trace_notes_age ON trace_notes (ended_at);
CREATE INDEX trace_notes_waiting ON trace_notes (id) WHERE NOT settled;
