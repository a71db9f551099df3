import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AuditKind } from '../../contract/audit.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Caller } from '../../platform/http/index.ts';
import { entryHash } from './entry-hash.ts';
import type { HashedEntry } from './entry-hash.ts';

export type AuditActor =
  | { type: 'user'; id: string; name: string }
  | { type: 'api_key'; id: string; name: string }
  | { type: 'system' };

/** What is told of one act. */
export interface AuditRecord {
  organizationId: string;
  /** null for what is about the organisation as a whole. */
  projectId: string | null;
  kind: AuditKind;
  actor: AuditActor;
  /** What it was done to: an id or a name. */
  subject: string | null;
  /** At most 64 KiB as JSON. No secrets: whoever may read the log reads it, for ever. */
  detail: Record<string, unknown>;
}

/** Who acts, as the log tells it: a user by their email, since anybody may bear a name. */
export function auditActorOf(caller: Caller): AuditActor {
  return caller.kind === 'user'
    ? { type: 'user', id: caller.userId, name: caller.email }
    : { type: 'api_key', id: caller.keyId, name: caller.keyName };
}

/**
 * Appends an entry to its organisation's audit log, in the caller's transaction: with what it tells of, or not at all. Call it last in
 * the transaction, since it locks the organisation's chain until the end: two acts that take locks after it may wait for each other.
 *
 * @param transaction any Kysely transaction
 * @returns the entry's id
 */
export async function recordAudit(transaction: QueryExecutorProvider, clock: Clock, entry: AuditRecord): Promise<string> {
  const [id] = await recordAudits(transaction, clock, [entry]);
  if (id === undefined) throw new Error('an audit entry was not made');
  return id;
}

/**
 * As {@link recordAudit}, for several acts that are one: of organisations or within one, in the order given. Takes the same two
 * statements for none as for many.
 *
 * @returns the entries' ids, in the order given
 */
export async function recordAudits(
  transaction: QueryExecutorProvider,
  clock: Clock,
  entries: readonly AuditRecord[],
): Promise<string[]> {
  const heads = await lockHeads(transaction, new Set(entries.map(({ organizationId }) => organizationId.toLowerCase())));
  const at = new Date(clock.now()).toISOString();
  const written: Array<HashedEntry & { hash: string }> = [];
  for (const entry of entries) {
    const columns = columnsOf(entry);
    const head = heads.get(columns.organizationId);
    if (!head) throw new Error('the audit log has no chain for an organisation');
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

/** A number that no chain reaches. */
const farAway = 2 ** 50;

type Heads = Map<string, Head>;

/**
 * Locks the ends of the chains, always in the same order, so that two that take several do not wait for each other. A number behind the end
 * that somebody planted is passed over: it breaks the chain, and must not stop what is recorded here from happening.
 */
async function lockHeads(transaction: QueryExecutorProvider, organizationIds: ReadonlySet<string>): Promise<Heads> {
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
  // Somebody took a chain away. What happens now is told all the same, in a chain whose beginning will never verify.
  await sql`INSERT INTO audit_heads (organization_id, seq, hash) SELECT id, 0, 'begun anew' FROM unnest(${missing}::uuid[]) AS id
    ORDER BY id ON CONFLICT DO NOTHING`.execute(transaction);
  return lockHeads(transaction, organizationIds);
}

/** An entry's own fields as PostgreSQL gives them back: what it would refuse or change must not be hashed. */
function columnsOf({ organizationId, projectId, kind, actor, subject, detail }: AuditRecord) {
  const text = JSON.stringify(detail);
  const system = actor.type === 'system';
  return {
    organizationId: organizationId.toLowerCase(),
    kind,
    actorType: actor.type,
    actorId: system ? null : storable(actor.id),
    actorName: system ? null : storable(actor.name),
    projectId: projectId?.toLowerCase() ?? null,
    subject: subject === null ? null : storable(subject),
    detail: text,
  };
}

/** PostgreSQL refuses NUL, and half of a surrogate pair has no UTF-8. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

async function append(
  transaction: QueryExecutorProvider,
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
