import type { AuditSource } from './evidence-source.ts';

const order = 'seq';
const entries = (kinds: AuditSource['kinds'], description: string): AuditSource => ({ from: 'audit', kinds, description, order });

/** Entries of the audit log by what they are evidence of. Entries of other projects of the organization are left out. */
export const auditSources = {
  audit_log: entries(
    null,
    'Every entry of the audit log about this project and the whole organization: who did what, and when. Says nothing about acts outside of this service.',
  ),
  access_changes: entries(
    ['member.added', 'member.removed', 'member.role_changed'],
    'Members added and removed, and changes of roles, with who made them. Does not show who approved them outside of this service.',
  ),
  role_changes: entries(['member.role_changed'], 'Changes of roles, with the role before and after, and who made them.'),
  credential_changes: entries(
    [
      'api_key.created',
      'api_key.updated',
      'api_key.rotated',
      'api_key.revoked',
      'token.created',
      'token.revoked',
      'user.password_changed',
      'user.password_reset',
    ],
    'API keys and personal access tokens created, changed, rotated and revoked, and passwords changed and reset. Secrets are stored as hashes only.',
  ),
  sign_ins: entries(
    ['auth.login'],
    'Sign-ins to the dashboard with the address. Does not show whether the address was expected.',
  ),
  failed_sign_ins: entries(
    ['auth.login_failed'],
    'Failed sign-ins with the address. Does not show attacks that did not reach the sign-in.',
  ),
  policy_changes: entries(
    ['policy.applied', 'policy.attached', 'policy.detached'],
    'Policy files applied, with the SHA-256 of each file, and policies attached and detached. Does not show reviews in the repository of the files.',
  ),
  guardrail_changes: entries(
    [
      'guardrail.created',
      'guardrail.updated',
      'guardrail.deleted',
      'environment.created',
      'environment.updated',
      'environment.deleted',
    ],
    'Guardrails and environments created, changed and deleted in the dashboard or the API.',
  ),
  alert_rule_changes: entries(['alert.created', 'alert.updated', 'alert.deleted'], 'Alert rules created, changed and deleted.'),
  evaluator_changes: entries(
    ['evaluator.created', 'evaluator.updated', 'evaluator.deleted'],
    'Evaluators created, changed and deleted.',
  ),
  prompt_releases: entries(
    ['prompt.labels_moved'],
    'Labels of prompts moved from one version to another, which is how a prompt is released. Does not show tests before the release.',
  ),
  connection_changes: entries(
    ['model_connection.created', 'model_connection.updated', 'model_connection.deleted'],
    'Connections of this service to model endpoints created, changed and deleted. Does not show where the applications themselves send data.',
  ),
  retention_deletions: entries(
    ['retention.deleted'],
    'Deletions of records older than the retention of the plan, with the tables. Does not show copies outside of this service, such as backups.',
  ),
  incident_actions: entries(
    ['incident.acknowledged', 'incident.resolved'],
    'Incidents acknowledged and resolved by people, with their notes.',
  ),
  fix_proposals: entries(['fix_proposal.started'], 'Fix proposals requested for incidents.'),
  lifecycle_dismissals: entries(['lifecycle.dismissed'], 'Findings of model retirements dismissed, and by whom.'),
} as const satisfies Record<string, AuditSource>;
