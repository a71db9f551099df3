-- An item's id in the application's own records: sent again, it updates the item. Items of an import that has not ended have theirs aside, so that they
-- neither clash with items that are shown nor are found by id.
ALTER TABLE dataset_items ADD COLUMN external_id text;
ALTER TABLE dataset_items ADD COLUMN pending_external_id text;
CREATE UNIQUE INDEX dataset_items_external_id ON dataset_items (dataset_id, external_id) WHERE external_id IS NOT NULL;
