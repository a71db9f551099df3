-- Whether the target holds no secret: earlier releases kept headers as they were unless their name told of a secret. A job seals those.
ALTER TABLE simulation_scenarios ADD COLUMN headers_sealed boolean NOT NULL DEFAULT false;
ALTER TABLE simulation_batch_runs ADD COLUMN headers_sealed boolean NOT NULL DEFAULT false;
CREATE INDEX simulation_scenarios_unsealed ON simulation_scenarios (id) WHERE NOT headers_sealed;
CREATE INDEX simulation_batch_runs_unsealed ON simulation_batch_runs (id) WHERE NOT headers_sealed;
