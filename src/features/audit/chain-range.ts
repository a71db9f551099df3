import { sql } from 'kysely';
import { genesisHash } from './entry-hash.ts';
import { entryColumns } from './entry-row.ts';
import type { EntryRow } from './entry-row.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Times, epoch milliseconds, both inclusive. */
export interface AuditTimes {
  fromMs: number;
  toMs: number;
}

/** An entry by its place and its hash; 0 and 64 zeros before the first one. */
export interface ChainPlace {
  seq: number;
  hash: string;
}

/** The entries of a time range as a part of their chain. */
export interface ChainRange {
  from: ChainPlace;
  to: ChainPlace;
  entries: number;
}

/**
 * Where the entries of a time range stand in the chain of an organization. Without entries in the range both ends are the last one before it.
 *
 * @param db the database, or a transaction
 */
export async function chainRange(db: Database, organizationId: string, { fromMs, toMs }: AuditTimes): Promise<ChainRange> {
  const { rows } = await sql<{
    first: number | null;
    last: number | null;
    entries: number;
  }>`SELECT min(seq) AS first, max(seq) AS last,
      count(*) AS entries
    FROM audit_entries WHERE organization_id = ${organizationId}::uuid AND at >= ${new Date(fromMs)} AND at <= ${new Date(toMs)}`.execute(
    db,
  );
  const { first, last, entries } = rows[0] ?? { first: null, last: null, entries: 0 };
  if (first !== null && last !== null)
    return { from: await placeAt(db, organizationId, first), to: await placeAt(db, organizationId, last), entries };
  const before = await sql<{ seq: number | null }>`SELECT max(seq) AS seq FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid AND at < ${new Date(fromMs)}`.execute(db);
  const place = await placeAt(db, organizationId, before.rows[0]?.seq ?? 0);
  return { from: place, to: place, entries: 0 };
}

async function placeAt(db: Database, organizationId: string, seq: number): Promise<ChainPlace> {
  return { seq, hash: (await hashAt(db, organizationId, seq)) ?? genesisHash };
}

/** The hash of an entry by its place, that before the first entry for 0; null when there is none. */
export async function hashAt(db: Database, organizationId: string, seq: number): Promise<string | null> {
  if (seq === 0) return genesisHash;
  const { rows } = await sql<{ hash: string }>`SELECT hash FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid AND seq = ${seq}::bigint`.execute(db);
  return rows[0]?.hash ?? null;
}

/** Numbers per query; between queries the embedded database's only connection is free. */
const pageSize = 500;

/**
 * The entries of a part of a chain, in pages, in their order. Entries never change, so that pages read one after another are of one moment.
 *
 * A page is an interval of numbers, which no missing statistics can make slow: a LIMIT alone lets PostgreSQL sort the whole rest for each page.
 *
 * @param range a part that {@link chainRange} found
 * @param projectId entries of this project and of no project
 */
export async function* entriesOf(
  db: Database,
  organizationId: string,
  projectId: string,
  { from, to, fromMs, toMs }: ChainRange & AuditTimes,
): AsyncGenerator<readonly EntryRow[]> {
  let next: number | null = from.seq;
  while (next !== null && next <= to.seq) {
    const end: number = Math.min(next + pageSize - 1, to.seq);
    const { rows } = await sql<EntryRow>`SELECT ${entryColumns} FROM audit_entries
      WHERE organization_id = ${organizationId}::uuid AND seq >= ${next}::bigint AND seq <= ${end}::bigint ORDER BY seq`.execute(
      db,
    );
    yield rows.filter(
      ({ at, project_id: project }) =>
        at.getTime() >= fromMs && at.getTime() <= toMs && (project === null || project === projectId),
    );
    // Behind a gap, which only tampering makes.
    next = rows.length > 0 ? end + 1 : await firstAfter(db, organizationId, end);
  }
}

async function firstAfter(db: Database, organizationId: string, seq: number): Promise<number | null> {
  const { rows } = await sql<{ seq: number | null }>`SELECT min(seq) AS seq FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid AND seq > ${seq}::bigint`.execute(db);
  return rows[0]?.seq ?? null;
}
