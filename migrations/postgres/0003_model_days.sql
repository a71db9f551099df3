-- Days whose figures are also kept as one, so that a read of months does not add up thousands of hours. A day counts while every hour
-- of it is sealed under a lower seal than the day's own: an hour that is touched later is dirty, and then sealed under a higher one.
CREATE TABLE day_states (
    project_id uuid NOT NULL,
    day date NOT NULL,
    seal bigint NOT NULL,
    sealed_at timestamptz NOT NULL,
    -- more than one row of a rollup should hold: the day is read by its hours
    too_large boolean NOT NULL,
    PRIMARY KEY (project_id, day)
);
