-- Who chose the password of an account: the person, whoever had the link of an invitation that was shown and not mailed ('link'), an operator (`spanwise user reset-password`), or an organization, which earlier releases let choose the password of
-- a new member. A password that an organization chose opens no second organization (src/features/identity/given-passwords.ts). The default is for accounts that a
-- replica of an earlier release makes during an upgrade.
ALTER TABLE users ADD COLUMN password_set_by text NOT NULL DEFAULT 'organization'
    CHECK (password_set_by IN ('person', 'link', 'operator', 'organization'));
-- The latest change that the audit log knows of decides.
UPDATE users SET password_set_by = CASE latest.kind WHEN 'user.password_changed' THEN 'person' ELSE 'operator' END
FROM (
    SELECT DISTINCT ON (subject) subject, kind FROM audit_entries
    WHERE kind IN ('user.password_changed', 'user.password_reset') ORDER BY subject, at DESC
) latest
WHERE latest.subject = users.id::text;
-- The first account is that of the first start. No organization chose its password.
UPDATE users SET password_set_by = 'person'
WHERE password_set_by = 'organization' AND id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1);

ALTER TABLE personal_tokens ADD COLUMN expires_at timestamptz;

-- Invitations that wait for their acceptance, one for an email in an organization. An accepted one is deleted.
CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email text NOT NULL,
    -- proposed by the inviter for a new account
    name text,
    -- null: an operator, or a member who has left
    invited_by uuid,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    -- null until the mail with the link is sent
    token_sha256 bytea CONSTRAINT invitations_token UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- when a mail with a new link is to be sent; null: none is
    mail_due_at timestamptz,
    mail_attempts integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX invitations_email ON invitations (organization_id, lower(email));
CREATE INDEX invitations_mail ON invitations (mail_due_at) WHERE mail_due_at IS NOT NULL;

-- Requests for a link that sets a new password, also for emails without an account, so that both take the same time. They count for an hour.
CREATE TABLE password_resets (
    id uuid PRIMARY KEY,
    -- the email in lower case
    account text NOT NULL,
    -- null: the mail is not sent, or the link is no longer valid
    token_sha256 bytea CONSTRAINT password_resets_token UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    mail_due_at timestamptz,
    mail_attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX password_resets_account ON password_resets (account, created_at);
CREATE INDEX password_resets_mail ON password_resets (mail_due_at) WHERE mail_due_at IS NOT NULL;
