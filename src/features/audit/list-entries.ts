import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditEntry, AuditLogQuery } from '../../contract/audit.ts';
import { ServiceError } from '../../contract/errors.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import type { AuditContext } from './audit-context.ts';
import { entryColumns } from './entry-row.ts';
import type { EntryRow } from './entry-row.ts';

const newestFirst = new Keyset([{ name: 'seq', type: 'bigint' }], 'desc');

/**
 * A page of an organization's audit log, newest first (docs/semantics.md, "Audit entries").
 *
 * Errors: `invalid_request` for a cursor of another list, and for `from` after `to`.
 */
export async function listEntries(
  { db }: AuditContext,
  organizationId: string,
  query: AuditLogQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const conditions = [sql`organization_id = ${organizationId}::uuid`, ...filters(query)];
  if (query.cursor !== undefined) conditions.push(newestFirst.behind(query.cursor));
  const { rows } = await sql<EntryRow>`SELECT ${entryColumns} FROM audit_entries WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY seq DESC LIMIT ${query.limit + 1}`.execute(db);
  const page = newestFirst.pageOf(rows, query.limit);
  return { entries: page.rows.map(entryOf), nextCursor: page.nextCursor };
}

function filters({ kind, actor, from, to }: AuditLogQuery): RawBuilder<unknown>[] {
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    throw new ServiceError('invalid_request', 'Send a from that is not after to.', {
      details: [{ path: '/from', message: 'must not be after to' }],
    });
  }
  const conditions: RawBuilder<unknown>[] = [];
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (actor !== undefined) conditions.push(sql`(actor_id = ${actor} OR actor_name = ${actor} OR actor_type = ${actor})`);
  if (from !== undefined) conditions.push(sql`at >= ${instant(from)}::timestamptz`);
  if (to !== undefined) conditions.push(sql`at <= ${instant(to)}::timestamptz`);
  return conditions;
}

/** The columns' resolution: entries are dated to the millisecond. */
function instant(text: string): string {
  return new Date(Date.parse(text)).toISOString();
}

function entryOf(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    projectId: row.project_id,
    subject: row.subject,
    detail: detailOf(row.detail),
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

/** A detail that tampering made invalid JSON is shown as text; verification reports it. */
function detailOf(text: string): AuditEntry['detail'] {
  try {
    const detail: unknown = JSON.parse(text);
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail as AuditEntry['detail'];
  } catch {
    // Not JSON.
  }
  return { text };
}
