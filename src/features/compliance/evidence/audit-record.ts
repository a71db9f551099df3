import type { EntryRow } from '../../audit/index.ts';
import type { EvidenceRecord } from './population.ts';

/** Characters; a longer detail is left out of the record. The entry's hash covers it. */
const longestDetail = 2_048;

/** An entry of the audit log as evidence: `detail` is the stored text, so that the hash can be computed again from the record. */
export function auditRecord(row: EntryRow): EvidenceRecord {
  return {
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    actorType: row.actor_type,
    actorId: row.actor_id,
    actorName: row.actor_name,
    projectId: row.project_id,
    subject: row.subject,
    detail: row.detail.length <= longestDetail ? row.detail : null,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
