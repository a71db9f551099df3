import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../platform/clock/clock.ts';
import { storableText } from '../../platform/text/index.ts';
import { entryHash } from './entry-hash.ts';
import type { HashedEntry } from './entry-hash.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** An entry of any kind, with any detail. */
export interface AppendedEntry {
  organizationId: string;
  projectId: string | null;
  kind: string;
  actor: { type: 'user' | 'api_key'; id: string; name: string } | { type: 'system' };
  subject: string | null;
  detail: Record<string, unknown>;
}

/**
 * Appends entries to the chains of their organizations, in the caller's transaction. Takes the same two statements for none as for many.
 *
 * @returns the entries' ids, in the order given
 */
export async function appendEntries(
  transaction: Transaction,
  clock: Clock,
  entries: readonly AppendedEntry[],
): Promise<string[]> {
  const heads = await lockHeads(transaction, new Set(entries.map(({ organizationId }) => organizationId.toLowerCase())));
  const at = new Date(clock.now()).toISOString();
  const written: Array<HashedEntry & { hash: string }> = [];
  for (const entry of entries) {
    const columns = columnsOf(entry);
    const head = heads.get(columns.organizationId);
    if (!head) throw new Error('the audit log has no chain for an organization');
    const next = { ...columns, seq: head.seq + 1, id: uuidv7(), at, previousHash: head.hash };
    const hash = entryHash(next);
    heads.set(columns.organizationId, { seq: next.seq, hash });
    written.push({ ...next, hash });
  }
  await append(transaction, heads, written);
  return written.map(({ id }) => id);
}

interface Head {
  seq: number;
  hash: string;
}

/** Above every sequence number that a chain can reach. */
const farAway = 2 ** 50;

type Heads = Map<string, Head>;

/**
 * Locks the heads of the chains in one order, which avoids deadlocks. An entry that was inserted behind the head by tampering is skipped: the
 * chain no longer verifies, but recording continues.
 */
async function lockHeads(transaction: Transaction, organizationIds: ReadonlySet<string>): Promise<Heads> {
  const wanted = [...organizationIds];
  const { rows } = await sql<Head & { organization_id: string }>`SELECT organization_id, hash,
      greatest(seq, (SELECT max(entry.seq) FROM audit_entries AS entry WHERE entry.organization_id = head.organization_id
        AND entry.seq > head.seq AND entry.seq < ${farAway}::bigint)) AS seq
    FROM audit_heads AS head WHERE organization_id = ANY(${wanted}::uuid[]) ORDER BY organization_id FOR UPDATE OF head`.execute(
    transaction,
  );
  const heads: Heads = new Map(rows.map(({ organization_id: id, seq, hash }) => [id, { seq, hash }]));
  const missing = wanted.filter((id) => !heads.has(id));
  if (missing.length === 0) return heads;
  // The head was deleted by tampering. Recording continues in a chain that never verifies.
  await sql`INSERT INTO audit_heads (organization_id, seq, hash) SELECT id, 0, 'begun anew' FROM unnest(${missing}::uuid[]) AS id
    ORDER BY id ON CONFLICT DO NOTHING`.execute(transaction);
  return lockHeads(transaction, organizationIds);
}

/** The fields of an entry as PostgreSQL returns them; the hash must not cover a text that PostgreSQL changes or refuses. */
function columnsOf({ organizationId, projectId, kind, actor, subject, detail }: AppendedEntry) {
  const text = JSON.stringify(detail);
  const system = actor.type === 'system';
  return {
    organizationId: organizationId.toLowerCase(),
    kind,
    actorType: actor.type,
    actorId: system ? null : storableText(actor.id),
    actorName: system ? null : storableText(actor.name),
    projectId: projectId?.toLowerCase() ?? null,
    subject: subject === null ? null : storableText(subject),
    detail: text,
  };
}

async function append(
  transaction: Transaction,
  heads: Heads,
  entries: ReadonlyArray<HashedEntry & { hash: string }>,
): Promise<void> {
  const column = <K extends keyof (typeof entries)[number]>(name: K) => entries.map((entry) => entry[name]);
  const moved = [...heads];
  await sql`WITH moved AS (
      UPDATE audit_heads SET seq = new.seq, hash = new.hash
      FROM unnest(${moved.map(([id]) => id)}::uuid[], ${moved.map(([, { seq }]) => seq)}::bigint[],
        ${moved.map(([, { hash }]) => hash)}::text[]) AS new (organization_id, seq, hash)
      WHERE audit_heads.organization_id = new.organization_id
    )
    INSERT INTO audit_entries (organization_id, seq, id, at, kind, actor_type, actor_id, actor_name, project_id, subject, detail,
      previous_hash, hash)
    SELECT * FROM unnest(${column('organizationId')}::uuid[], ${column('seq')}::bigint[], ${column('id')}::uuid[],
      ${column('at')}::timestamptz[], ${column('kind')}::text[], ${column('actorType')}::text[], ${column('actorId')}::text[],
      ${column('actorName')}::text[], ${column('projectId')}::uuid[], ${column('subject')}::text[], ${column('detail')}::text[],
      ${column('previousHash')}::text[], ${column('hash')}::text[])`.execute(transaction);
}
