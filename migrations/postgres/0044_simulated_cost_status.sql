-- How the cost of an item's call is known; NULL for an item without one, or recorded by an earlier release.
ALTER TABLE simulation_items ADD COLUMN cost_status text;
-- Calls of a run that has ended whose cost is not known, or not whole; NULL before it ends, and of runs of an earlier release.
ALTER TABLE simulation_batch_runs ADD COLUMN unpriced_calls integer, ADD COLUMN partly_priced_calls integer;
