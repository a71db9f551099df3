-- What the model connection of a judge was when policy files were applied: JSON {baseUrl, model}. Set once the connection differs from it; null: it does not.
ALTER TABLE guardrails ADD COLUMN judged_by text;

-- Whether a webhook may reach the addresses of SPANWISE_OUTGOING_ALLOW: an owner or admin saved it. Webhooks that were saved before keep reaching them.
ALTER TABLE notification_channels ADD COLUMN reaches_private boolean NOT NULL DEFAULT true;
ALTER TABLE notification_deliveries ADD COLUMN reaches_private boolean NOT NULL DEFAULT true;

-- Recipients of a project's mail on one UTC day.
CREATE TABLE mail_recipients (
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day date NOT NULL,
    recipients integer NOT NULL,
    PRIMARY KEY (project_id, day)
);
