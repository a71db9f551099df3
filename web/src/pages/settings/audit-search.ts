import type { AuditKind, AuditQuery } from '../../api/parts.ts';
import { readRange } from '../../range.ts';
import { searchText } from '../../trace-filters.ts';

/** The kinds offered as filter. The service accepts any kind. */
export const auditKinds: readonly AuditKind[] = [
  'auth.login',
  'auth.login_failed',
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'simulation.gate',
  'simulation_scenario.created',
  'simulation_scenario.updated',
  'simulation_scenario.deleted',
  'token.created',
  'token.revoked',
  'invitation.created',
  'invitation.accepted',
  'invitation.deleted',
  'member.added',
  'member.removed',
  'member.role_changed',
  'member.revoked',
  'user.password_changed',
  'user.password_reset',
  'organization.plan_changed',
  'organization.shared_links_changed',
  'project.created',
  'price.set',
  'price.deleted',
  'repricing.started',
  'repricing.ended',
  'prompt.labels_moved',
  'prompt.deleted',
  'score.changed',
  'score.deleted',
  'comment.deleted',
  'trace.deleted',
  'traces.deleted',
  'selection.started',
  'share.created',
  'share.deleted',
  'user_data.deleted',
  'dataset.deleted',
  'dataset.item_changed',
  'dataset.item_deleted',
  'dataset.run_deleted',
  'fix_proposal.started',
  'evaluator.created',
  'evaluator.updated',
  'evaluator.deleted',
  'model_connection.created',
  'model_connection.updated',
  'model_connection.deleted',
  'guardrail.created',
  'guardrail.updated',
  'guardrail.deleted',
  'environment.created',
  'environment.updated',
  'environment.deleted',
  'policy.applied',
  'policy.attached',
  'policy.detached',
  'evidence_pack.generated',
  'lifecycle.dismissed',
  'lifecycle.override_set',
  'lifecycle.override_removed',
  'alert.created',
  'alert.updated',
  'alert.deleted',
  'incident.acknowledged',
  'incident.resolved',
  'view.created',
  'view.changed',
  'view.deleted',
  'retention.deleted',
];

/** The search parameters of the audit log. */
export interface AuditSearch {
  kind?: string | undefined;
  actor?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** ID of the expanded entry. */
  entry?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { from, to } = readRange({ from: search['from'], to: search['to'] });
  const read: AuditSearch = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  for (const name of ['kind', 'actor', 'entry'] as const) {
    const value = searchText(search, name);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** The request for the log. */
export function auditRequest({ entry: _entry, ...query }: AuditSearch): AuditQuery {
  return query as AuditQuery;
}

/** The value of a datetime-local input in the viewer's time zone; empty for undefined. */
export function localInput(iso: string | undefined): string {
  if (iso === undefined) return '';
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The inverse of {@link localInput}. The end of a range includes its whole minute. */
export function fromInput(text: string, end = false): string | undefined {
  if (text === '' || !Number.isFinite(Date.parse(text))) return undefined;
  return new Date(Date.parse(text) + (end ? 59_999 : 0)).toISOString();
}
