CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE organizations (
    id uuid PRIMARY KEY,
    slug text NOT NULL CONSTRAINT organizations_slug UNIQUE,
    name text NOT NULL,
    plan text NOT NULL CHECK (plan IN ('free', 'pro', 'team', 'scale')),
    created_at timestamptz NOT NULL
);

CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz NOT NULL,
    CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE projects (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL,
    slug text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT projects_slug UNIQUE (organization_id, slug)
);

-- A rotated key keeps its id; the secret before the last rotation works until previous_expires_at.
CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name text NOT NULL,
    prefix text NOT NULL,
    secret_sha256 bytea NOT NULL CONSTRAINT api_keys_secret UNIQUE,
    previous_sha256 bytea,
    previous_expires_at timestamptz,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX api_keys_project ON api_keys (project_id);
CREATE INDEX api_keys_previous ON api_keys (previous_sha256) WHERE previous_sha256 IS NOT NULL;

CREATE TABLE personal_tokens (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    prefix text NOT NULL,
    secret_sha256 bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX personal_tokens_user ON personal_tokens (user_id);

CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    secret_sha256 bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE login_failures (
    id uuid PRIMARY KEY,
    account text NOT NULL,
    address text NOT NULL,
    failed_at timestamptz NOT NULL
);
CREATE INDEX login_failures_account ON login_failures (account, address, failed_at);
