import { sql } from 'kysely';
import type { HashedEntry } from './entry-hash.ts';

export interface EntryRow {
  seq: number;
  id: string;
  at: Date;
  kind: string;
  actor_type: 'user' | 'api_key' | 'system';
  actor_id: string | null;
  actor_name: string | null;
  project_id: string | null;
  subject: string | null;
  detail: string;
  previous_hash: string;
  hash: string;
}

export const entryColumns = sql`seq, id, at, kind, actor_type, actor_id, actor_name, project_id, subject, detail, previous_hash, hash`;

/** The fields of a stored entry that its hash covers. */
export function hashedEntry(organizationId: string, row: EntryRow): HashedEntry {
  return {
    organizationId,
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    actorType: row.actor_type,
    actorId: row.actor_id,
    actorName: row.actor_name,
    projectId: row.project_id,
    subject: row.subject,
    detail: row.detail,
    previousHash: row.previous_hash,
  };
}
