-- What the clients of a project sent: a row for each UTC day, client and outcome. Counts are added by every process, so that replicas need no lock.
CREATE TABLE ingest_clients (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day date NOT NULL,
    -- sdk, otlp or http
    kind text NOT NULL,
    client text NOT NULL,
    version text NOT NULL,
    -- of otlp: the instrumentation scope
    scope text NOT NULL,
    -- '' for accepted events, else the code of the error with which they were rejected
    code text NOT NULL,
    events bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, day, kind, client, version, scope, code)
);
CREATE INDEX ingest_clients_day ON ingest_clients (day);

-- Running instances of SDK clients, with what each dropped since its start.
CREATE TABLE ingest_client_instances (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    instance text NOT NULL,
    client text NOT NULL,
    version text NOT NULL,
    queue_full bigint NOT NULL,
    too_old bigint NOT NULL,
    refused bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, instance)
);
CREATE INDEX ingest_client_instances_seen ON ingest_client_instances (last_seen_at);
