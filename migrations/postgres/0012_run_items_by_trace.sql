-- A trace that is deleted takes the scores of run items along that were measured on it.
CREATE INDEX dataset_run_items_trace ON dataset_run_items (trace_id) WHERE trace_id IS NOT NULL;
