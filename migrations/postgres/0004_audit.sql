-- What was done in an organisation, by whom: appended to, never changed. The entries of an organisation are a chain: each carries the
-- SHA-256 of the one before, over all of its fields (src/features/audit/entry-hash.ts). No foreign keys: an entry outlives what it is about.
CREATE TABLE audit_entries (
    organization_id uuid NOT NULL,
    -- 1, 2, 3, ... without gaps
    seq bigint NOT NULL CHECK (seq BETWEEN 1 AND 9007199254740991),
    id uuid NOT NULL CONSTRAINT audit_entries_id UNIQUE,
    -- hashed to the millisecond, so it has no more
    at timestamptz NOT NULL CHECK (at = date_trunc('milliseconds', at) AND at BETWEEN '1970-01-01Z' AND '9999-12-31Z'),
    kind text NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'system')),
    actor_id text,
    actor_name text,
    project_id uuid,
    subject text,
    -- JSON as it was written: jsonb would give back another text than the one that was hashed
    detail text NOT NULL CHECK (octet_length(detail) <= 65536),
    previous_hash text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (organization_id, seq)
);
CREATE INDEX audit_entries_kind ON audit_entries (organization_id, kind, seq);
CREATE INDEX audit_entries_at ON audit_entries (organization_id, at);

-- The end of each organisation's chain. Whoever appends locks it, which puts writers in line; and it knows of entries that somebody
-- cut off the end.
CREATE TABLE audit_heads (
    organization_id uuid PRIMARY KEY,
    seq bigint NOT NULL,
    hash text NOT NULL
);

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END;
$$;
CREATE FUNCTION audit_begin_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_heads (organization_id, seq, hash) VALUES (NEW.id, 0, repeat('0', 64));
    RETURN NULL;
END;
$$;

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_heads_stay BEFORE DELETE OR TRUNCATE ON audit_heads
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_heads_rise BEFORE UPDATE ON audit_heads
    FOR EACH ROW WHEN (NEW.organization_id <> OLD.organization_id OR NEW.seq <= OLD.seq) EXECUTE FUNCTION audit_refuse();
-- Also in a session that calls itself a replica, where triggers do not fire otherwise.
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only;
ALTER TABLE audit_heads ENABLE ALWAYS TRIGGER audit_heads_stay;
ALTER TABLE audit_heads ENABLE ALWAYS TRIGGER audit_heads_rise;

-- A chain begins with its organisation, so that an organisation without one shows that it was taken away.
INSERT INTO audit_heads (organization_id, seq, hash) SELECT id, 0, repeat('0', 64) FROM organizations;
CREATE TRIGGER audit_chain AFTER INSERT ON organizations
    FOR EACH ROW EXECUTE FUNCTION audit_begin_chain();
