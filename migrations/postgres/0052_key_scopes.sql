-- What a key may do, and until when. NULL: everything that keys may do; forever.
ALTER TABLE api_keys ADD COLUMN scopes text[];
-- when the key was given the last of its scopes
ALTER TABLE api_keys ADD COLUMN scopes_since timestamptz;
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;

-- The last use of each scope, accurate to a minute. Of a key without scopes: those that its requests would have needed.
CREATE TABLE api_key_scope_uses (
    key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    scope text NOT NULL,
    last_used_at timestamptz NOT NULL,
    PRIMARY KEY (key_id, scope)
);
