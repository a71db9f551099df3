import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditEntry, AuditLogQuery } from '../../contract/audit.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AuditContext } from './audit-context.ts';
import { entryColumns } from './entry-row.ts';
import type { EntryRow } from './entry-row.ts';

/**
 * A page of an organisation's audit log, newest first (contract section 8).
 *
 * Errors: `invalid_request` for a cursor that this list did not make, and for `from` after `to`.
 */
export async function listEntries(
  { db }: AuditContext,
  organizationId: string,
  query: AuditLogQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const conditions = [sql`organization_id = ${organizationId}::uuid`, ...filters(query)];
  if (query.cursor !== undefined) conditions.push(sql`seq < ${seqOf(query.cursor)}::bigint`);
  const { rows } = await sql<EntryRow>`SELECT ${entryColumns} FROM audit_entries WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY seq DESC LIMIT ${query.limit + 1}`.execute(db);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return { entries: page.map(entryOf), nextCursor: rows.length > query.limit && last ? cursorAt(last.seq) : null };
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

/** To the millisecond, as entries are dated and shown. */
function instant(text: string): string {
  return new Date(Date.parse(text)).toISOString();
}

function cursorAt(seq: number): string {
  return Buffer.from(JSON.stringify([seq])).toString('base64url');
}

function seqOf(cursor: string): number {
  try {
    const [seq, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 && rest.length === 0) return seq;
  } catch {
    // Falls through to the refusal.
  }
  throw new ServiceError(
    'invalid_request',
    'The cursor is not valid; use nextCursor of the page before, or leave it out to start over.',
    { details: [{ path: '/cursor', message: 'is not a cursor of this list' }] },
  );
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

/** What somebody tampered with is shown all the same; verification tells of it. */
function detailOf(text: string): AuditEntry['detail'] {
  try {
    const detail: unknown = JSON.parse(text);
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail as AuditEntry['detail'];
  } catch {
    // Falls through.
  }
  return { text };
}
