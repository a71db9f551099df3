import type { Actor } from '../../contract/actor.ts';
import type { AuditDetails, AuditKind } from '../../contract/audit.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { appendEntries } from './append-entries.ts';
import type { AppendedEntry } from './append-entries.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** An act as the audit log records it. */
export interface AuditRecord<Kind extends AuditKind = AuditKind> {
  organizationId: string;
  /** null: the act concerns the whole organization. */
  projectId: string | null;
  kind: Kind;
  actor: Actor;
  /** The object of the act: an id or a name. */
  subject: string | null;
  /** At most 64 KiB as JSON. Must not contain secrets: entries cannot be deleted. */
  detail: AuditDetails[Kind];
}

/** A record of any kind whose detail is that kind's. */
export type AnyAuditRecord = { [Kind in AuditKind]: AuditRecord<Kind> }[AuditKind];

/**
 * Appends an entry to its organization's audit log, in the transaction of the recorded act. Call it last in the transaction: it locks the
 * organization's chain until the end, and locks taken after it can deadlock.
 *
 * @returns the entry's id
 */
export async function recordAudit<Kind extends AuditKind>(
  transaction: Transaction,
  clock: Clock,
  record: AuditRecord<Kind>,
): Promise<string> {
  const [id] = await appendEntries(transaction, clock, [entryOf(record)]);
  if (id === undefined) throw new Error('an audit entry was not made');
  return id;
}

/**
 * As {@link recordAudit}, for several acts of one transaction.
 *
 * @returns the entries' ids, in the order given
 */
export function recordAudits(transaction: Transaction, clock: Clock, records: readonly AnyAuditRecord[]): Promise<string[]> {
  return appendEntries(transaction, clock, records.map(entryOf));
}

/**
 * As {@link recordAudit}, for one act that concerns several organizations. Takes the same two statements for none as for many.
 *
 * @returns the entries' ids, in the order of the organizations
 */
export function recordAuditInEach<Kind extends AuditKind>(
  transaction: Transaction,
  clock: Clock,
  organizationIds: readonly string[],
  record: Omit<AuditRecord<Kind>, 'organizationId'>,
): Promise<string[]> {
  return appendEntries(
    transaction,
    clock,
    organizationIds.map((organizationId) => entryOf({ ...record, organizationId })),
  );
}

/** A user is recorded by email, since names are not unique. */
function entryOf({ actor, ...record }: AuditRecord): AppendedEntry {
  if (actor.type !== 'user') return { ...record, actor };
  return { ...record, actor: { type: 'user', id: actor.id, name: actor.email } };
}
