import type { AuditKind, AuditQuery } from '../../api/wire.ts';
import { readRange } from '../../range.ts';
import { searchText } from '../../trace-filters.ts';

/** What can be looked for, in the order of a list; the service takes any kind. */
export const auditKinds: readonly AuditKind[] = [
  'auth.login',
  'auth.login_failed',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'member.added',
  'member.removed',
  'member.role_changed',
  'prompt.labels_moved',
  'guardrail.created',
  'guardrail.updated',
  'guardrail.deleted',
  'environment.created',
  'environment.updated',
  'environment.deleted',
  'policy.applied',
  'policy.detached',
  'evidence_pack.generated',
  'retention.deleted',
];

/** What stands in the URL of the audit log. */
export interface AuditSearch {
  kind?: string | undefined;
  actor?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The id of the entry that is open. */
  entry?: string | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { from, to } = readRange({ from: search['from'], to: search['to'] });
  const read: AuditSearch = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  for (const name of ['kind', 'actor', 'entry'] as const) {
    const value = searchText(search, name);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** What is asked of the service. */
export function auditRequest({ entry: _entry, ...query }: AuditSearch): AuditQuery {
  return query as AuditQuery;
}

/** A moment as an input of the browser takes it, in the viewer's own time; empty for none. */
export function localInput(iso: string | undefined): string {
  if (iso === undefined) return '';
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The other way round. What ends a range takes in the whole of its minute. */
export function fromInput(text: string, end = false): string | undefined {
  if (text === '' || !Number.isFinite(Date.parse(text))) return undefined;
  return new Date(Date.parse(text) + (end ? 59_999 : 0)).toISOString();
}
