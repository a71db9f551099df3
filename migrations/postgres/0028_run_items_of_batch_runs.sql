-- Results of a batch run are recorded by the thousand a second, and each paid for an index and a key that its writers do not need.

-- Scores of run items are deleted with the trace that they were measured on only where the item has no output of its own. Results of batch runs have one.
DROP INDEX dataset_run_items_trace;
CREATE INDEX dataset_run_items_trace ON dataset_run_items (trace_id) WHERE trace_id IS NOT NULL AND output IS NULL;

-- Writers of run items lock the dataset, so that its items stay, and find the items after that. A key would lock each item again. Deleting an item deletes
-- its run items, as the key did.
ALTER TABLE dataset_run_items DROP CONSTRAINT dataset_run_items_dataset_item_id_fkey;
CREATE FUNCTION delete_run_items_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- An array, so that the plan, which the session keeps, goes by the index however many items the first deletion had.
    DELETE FROM dataset_run_items WHERE dataset_item_id = ANY (ARRAY(SELECT id FROM deleted));
    RETURN NULL;
END
$$;
CREATE TRIGGER dataset_items_delete_run_items AFTER DELETE ON dataset_items REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION delete_run_items_of_deleted();
