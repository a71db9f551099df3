-- Calls of a finding whose cost is not known, or not whole, as of its scan.
ALTER TABLE lifecycle_findings ADD COLUMN unpriced_calls integer NOT NULL DEFAULT 0;
ALTER TABLE lifecycle_findings ADD COLUMN partly_priced_calls integer NOT NULL DEFAULT 0;
