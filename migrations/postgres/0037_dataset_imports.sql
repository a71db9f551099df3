-- A file of many items is stored in slices, so that other statements run between them. Items at the places of an import are not shown before it has ended,
-- which deletes its row. One whose lease is over was given up by a process that ended; its items are deleted.
CREATE TABLE dataset_imports (
    id uuid PRIMARY KEY,
    dataset_id uuid NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    first_place bigint NOT NULL,
    last_place bigint NOT NULL,
    lease_until timestamptz NOT NULL,
    abandoned boolean NOT NULL DEFAULT false
);
CREATE INDEX dataset_imports_dataset ON dataset_imports (dataset_id);
