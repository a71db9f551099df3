-- An import with external ids is merged in slices once all of its items are stored. From then on it is not given up: what a process leaves that ends, a
-- job finishes.
ALTER TABLE dataset_imports
    -- JSON: who imports; NULL while items are still being stored
    ADD COLUMN merging_for text,
    -- the place of the last item that is merged
    ADD COLUMN merged_place bigint NOT NULL DEFAULT 0,
    ADD COLUMN changed_items bigint NOT NULL DEFAULT 0,
    -- rows that are no items of their own: they updated one, or a later row has the same id
    ADD COLUMN dropped_rows bigint NOT NULL DEFAULT 0;
