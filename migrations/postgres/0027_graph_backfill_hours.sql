-- The hours of a project are marked in portions, the newest first, after its rows were derived.
ALTER TABLE graph_backfills
    -- UTC hours from this one on are marked, epoch seconds; null before the first portion
    ADD COLUMN marked_from bigint;
