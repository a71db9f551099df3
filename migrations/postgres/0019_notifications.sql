-- Channels of alert rules (docs/semantics.md, "Notifications").
CREATE TABLE notification_channels (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- no reference: the alerts feature deletes the channels with the rule
    rule_id uuid NOT NULL,
    position integer NOT NULL,
    type text NOT NULL CHECK (type IN ('webhook', 'email')),
    -- of a webhook
    url text,
    -- encrypted with the installation's secret, with the channel's id as additional data (src/platform/crypto/secret-box.ts)
    sealed_secret text,
    -- of an email channel: JSON array
    addresses text,
    -- since when the receiver answers 410
    disabled_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT notification_channels_type CHECK (
        CASE type WHEN 'webhook' THEN url IS NOT NULL AND sealed_secret IS NOT NULL ELSE addresses IS NOT NULL END)
);
CREATE INDEX notification_channels_rule ON notification_channels (rule_id, position);
CREATE INDEX notification_channels_project ON notification_channels (project_id);

-- What is announced, once for all channels of a rule.
CREATE TABLE notification_messages (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    type text NOT NULL,
    -- no reference: the record outlives its incident
    incident_id uuid,
    -- the body of webhooks, the same bytes at each attempt: JSON object {type, timestamp, data}
    body text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX notification_messages_project ON notification_messages (project_id);

-- Deliveries of messages to channels: the queue of those to come and the record of those that were (ADR 0015).
CREATE TABLE notification_deliveries (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    rule_id uuid NOT NULL,
    message_id uuid NOT NULL REFERENCES notification_messages (id) ON DELETE CASCADE,
    -- The channel as it was when the delivery was queued: the delivery outlives it.
    channel_id uuid NOT NULL,
    url text,
    sealed_secret text,
    addresses text,
    -- JSON array of {at, statusCode, error}, the oldest first
    history text NOT NULL,
    lane text NOT NULL CHECK (lane IN ('webhook', 'email')),
    status text NOT NULL CHECK (status IN ('queued', 'running', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL,
    lease_until timestamptz,
    lease_id uuid,
    error text,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz
);
CREATE INDEX notification_deliveries_due ON notification_deliveries (lane, project_id, run_at, id) WHERE status = 'queued';
CREATE INDEX notification_deliveries_leases ON notification_deliveries (lease_until) WHERE status = 'running';
CREATE INDEX notification_deliveries_waiting ON notification_deliveries (project_id) WHERE status IN ('queued', 'running');
CREATE INDEX notification_deliveries_channel ON notification_deliveries (channel_id) WHERE status = 'queued';
CREATE INDEX notification_deliveries_list ON notification_deliveries (rule_id, created_at, id);
CREATE INDEX notification_deliveries_message ON notification_deliveries (message_id);
CREATE INDEX notification_deliveries_finished ON notification_deliveries (project_id, finished_at) WHERE status IN ('delivered', 'failed');
