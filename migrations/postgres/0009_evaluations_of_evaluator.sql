-- The runs of one evaluator, by its slug or its id, newest first.
CREATE INDEX evaluations_of_slug ON evaluations (project_id, evaluator, created_at, id);
CREATE INDEX evaluations_of_evaluator ON evaluations (project_id, evaluator_id, created_at, id);

-- Queued because what was evaluated no longer fits the evaluator: its score is to be withdrawn.
ALTER TABLE evaluations ADD COLUMN withdraws boolean NOT NULL DEFAULT false;
