-- What the rollups of a sealed hour or day hold. 1: one row for all environments; 2: a row for each environment. Hours of an older layout are
-- sealed again, the newest first, after those that have changed.
ALTER TABLE hour_states ADD COLUMN layout smallint NOT NULL DEFAULT 1;
ALTER TABLE day_states ADD COLUMN layout smallint NOT NULL DEFAULT 1;
CREATE INDEX hour_states_old_layout ON hour_states (hour) WHERE layout < 2 AND dirty = sealed;
