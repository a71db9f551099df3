import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AuditVerification } from '../../contract/audit.ts';
import type { AuditContext } from './audit-context.ts';
import { entryHash, genesisHash } from './entry-hash.ts';
import { entryColumns, hashedEntry } from './entry-row.ts';
import type { EntryRow } from './entry-row.ts';

/** Entries per query. An entry has at most 70 kB; between queries the embedded database's only connection is free. */
const pageSize = 500;

interface ChainEnd {
  /** null: the organization's chain was deleted. */
  seq: number | null;
  hash: string | null;
  lastSeq: number;
}

/**
 * Verifies an organization's audit log up to the last entry at the time of the call: numbers have no gaps, every entry has the hash of the
 * one before, every hash matches the stored fields, and the chain ends at its head. Entries written meanwhile are not read.
 *
 * @param signal stops between two pages; the result is then meaningless
 */
export async function verifyChain(
  { db }: AuditContext,
  organizationId: string,
  signal?: AbortSignal,
): Promise<AuditVerification> {
  const end = await chainEnd({ db }, organizationId);
  if (end.seq === null || end.hash === null) return broken({ db }, organizationId, 1);
  let last = { seq: 0, hash: genesisHash };
  while (last.seq < end.seq && !signal?.aborted) {
    const rows = await page({ db }, organizationId, last.seq, end.seq);
    if (rows.length === 0) return broken({ db }, organizationId, last.seq + 1);
    for (const row of rows) {
      const follows = row.seq === last.seq + 1 && row.previous_hash === last.hash;
      if (!follows || row.hash !== entryHash(hashedEntry(organizationId, row)))
        return broken({ db }, organizationId, last.seq + 1);
      last = { seq: row.seq, hash: row.hash };
    }
    // Yields: hashing a page takes some milliseconds.
    await setImmediate();
  }
  if (last.hash !== end.hash) return broken({ db }, organizationId, Math.max(1, end.seq));
  if (end.lastSeq > end.seq) return broken({ db }, organizationId, end.seq + 1);
  return { valid: true, entries: end.seq, brokenAt: null };
}

/** Head and last entry in one statement: a writer moves them together. */
async function chainEnd({ db }: Pick<AuditContext, 'db'>, organizationId: string): Promise<ChainEnd> {
  const { rows } = await sql<ChainEnd>`SELECT head.seq, head.hash, coalesce(entries.last_seq, 0) AS "lastSeq"
    FROM (SELECT max(seq) AS last_seq FROM audit_entries WHERE organization_id = ${organizationId}::uuid) AS entries
    LEFT JOIN audit_heads AS head ON head.organization_id = ${organizationId}::uuid`.execute(db);
  return rows[0] ?? { seq: null, hash: null, lastSeq: 0 };
}

async function page(
  { db }: Pick<AuditContext, 'db'>,
  organizationId: string,
  afterSeq: number,
  toSeq: number,
): Promise<EntryRow[]> {
  // An interval instead of a LIMIT: without statistics PostgreSQL would sort the whole rest for each page. Numbers of an unbroken chain have no gaps.
  const end = Math.min(afterSeq + pageSize, toSeq);
  const { rows } = await sql<EntryRow>`SELECT ${entryColumns} FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid AND seq > ${afterSeq}::bigint AND seq <= ${end}::bigint ORDER BY seq`.execute(
    db,
  );
  return rows;
}

async function broken({ db }: Pick<AuditContext, 'db'>, organizationId: string, brokenAt: number): Promise<AuditVerification> {
  const { rows } = await sql<{ entries: number }>`SELECT count(*) AS entries FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid`.execute(db);
  return { valid: false, entries: rows[0]?.entries ?? 0, brokenAt };
}
