-- Evidence packs (docs/semantics.md, "Evidence packs").

-- The key that signs packs, of the installation as a whole. At most one row: replicas that make a key at the same time agree on the first.
CREATE TABLE evidence_keys (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    -- base64 of the raw Ed25519 key
    public_key text NOT NULL,
    -- PKCS #8, encrypted with the installation's secret (src/platform/crypto/secret-box.ts)
    sealed_private_key text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE evidence_packs (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    -- the bytes that are downloaded, which verification reads
    content bytea NOT NULL,
    -- JSON: the pack without its evidence, for lists
    listed text NOT NULL
);
CREATE INDEX evidence_packs_created ON evidence_packs (project_id, created_at, id);

-- Backups of this installation whose files were copied, as `spanwise backup` reports them.
CREATE TABLE backup_runs (
    id uuid PRIMARY KEY,
    finished_at timestamptz NOT NULL,
    -- embedded: all stores; servers: the write-ahead log and the secret key
    stores text NOT NULL CHECK (stores IN ('embedded', 'servers'))
);
CREATE INDEX backup_runs_finished ON backup_runs (finished_at, id);
