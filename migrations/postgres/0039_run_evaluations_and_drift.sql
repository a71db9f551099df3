-- The evaluations of a dataset run's items, which say what failed, was skipped or waits.
CREATE INDEX evaluations_run_item ON evaluations (run_item_id) WHERE run_item_id IS NOT NULL;
-- A policy that was given back to code although it differs from its file, until files are applied again.
ALTER TABLE environments ADD COLUMN differs boolean NOT NULL DEFAULT false;
ALTER TABLE guardrails ADD COLUMN differs boolean NOT NULL DEFAULT false;
