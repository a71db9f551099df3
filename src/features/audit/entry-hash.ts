import { createHash } from 'node:crypto';

/** The fields of an entry that its hash covers; texts exactly as stored. */
export interface HashedEntry {
  organizationId: string;
  seq: number;
  id: string;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  kind: string;
  actorType: string;
  actorId: string | null;
  actorName: string | null;
  projectId: string | null;
  subject: string | null;
  /** JSON text. */
  detail: string;
  previousHash: string;
}

/** The previous hash of a chain's first entry. */
export const genesisHash = '0'.repeat(64);

/**
 * The SHA-256 of an entry, hexadecimal, over its canonical text: a JSON array of its fields in a fixed order behind the name of the
 * format. JSON separates neighbouring fields and distinguishes null from the empty text.
 */
export function entryHash(entry: HashedEntry): string {
  const canonical = JSON.stringify([
    'spanwise-audit-1',
    entry.organizationId,
    entry.seq,
    entry.id,
    entry.at,
    entry.kind,
    entry.actorType,
    entry.actorId,
    entry.actorName,
    entry.projectId,
    entry.subject,
    entry.detail,
    entry.previousHash,
  ]);
  return createHash('sha256').update(canonical).digest('hex');
}
