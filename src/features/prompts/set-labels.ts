import { sql } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { Family } from './family-store.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** A label that moved to another version; `from` is null when it was on none, `to` when it was removed. */
export interface MovedLabel {
  label: string;
  from: number | null;
  to: number | null;
}

/** Maximum labels of a family. */
const maxLabels = 1_000;

/**
 * Moves labels to a version from the others of its family. Versions that lose or gain one get `now` as their update time.
 *
 * Errors: `invalid_request` when the family would have more than 1,000 labels.
 */
export async function setLabels(
  db: Database,
  family: Pick<Family, 'id'>,
  to: { id: string; version: number },
  labels: readonly string[],
  now: Date,
): Promise<MovedLabel[]> {
  if (labels.length === 0) return [];
  const before = await db
    .selectFrom('prompt_labels as l')
    .innerJoin('prompt_versions as v', 'v.id', 'l.version_id')
    .select(['l.label', 'v.id', 'v.version'])
    .where('l.family_id', '=', family.id)
    .execute();
  const places = new Map(before.map((place) => [place.label, place]));
  const moved = labels.filter((label) => places.get(label)?.id !== to.id);
  if (moved.length === 0) return [];
  if (new Set([...places.keys(), ...moved]).size > maxLabels)
    throw new ServiceError('invalid_request', `Use existing labels; a prompt has at most ${maxLabels}.`, {
      details: [{ path: '/labels', message: `must not make more than ${maxLabels} labels of one prompt` }],
    });
  await sql`INSERT INTO prompt_labels (family_id, label, version_id)
    SELECT ${family.id}::uuid, label, ${to.id}::uuid FROM unnest(${moved}::text[]) AS label
    ON CONFLICT (family_id, label) DO UPDATE SET version_id = excluded.version_id`.execute(db);
  const changed = new Set([to.id, ...moved.flatMap((label) => places.get(label)?.id ?? [])]);
  await db
    .updateTable('prompt_versions')
    .set({ updated_at: now })
    .where(sql<boolean>`id = ANY(${[...changed]}::uuid[])`)
    .execute();
  return moved.map((label) => ({ label, from: places.get(label)?.version ?? null, to: to.version }));
}

/**
 * Takes labels off a version; those that are not on it are passed over. The version gets `now` as its update time.
 *
 * @returns those that were on it
 */
export async function removeLabels(
  db: Database,
  { id, version }: { id: string; version: number },
  labels: readonly string[],
  now: Date,
): Promise<MovedLabel[]> {
  if (labels.length === 0) return [];
  const { rows } = await sql<{ label: string }>`DELETE FROM prompt_labels
    WHERE version_id = ${id}::uuid AND label = ANY(${[...labels]}::text[]) RETURNING label`.execute(db);
  const removed = new Set(rows.map(({ label }) => label));
  if (removed.size > 0) await db.updateTable('prompt_versions').set({ updated_at: now }).where('id', '=', id).execute();
  return labels.filter((label) => removed.has(label)).map((label) => ({ label, from: version, to: null }));
}

/** Records moved and removed labels, if any, in the audit log (docs/semantics.md, "Labels" and "Audit entries"). Call last in a transaction. */
export async function recordMovedLabels(
  transaction: Transaction,
  clock: Clock,
  { tenant, actor, name, moved }: { tenant: Tenant; actor: Actor; name: string; moved: readonly MovedLabel[] },
): Promise<void> {
  if (moved.length === 0) return;
  await recordAudit(transaction, clock, {
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    kind: 'prompt.labels_moved',
    actor,
    subject: name,
    detail: { name, labels: [...moved] },
  });
}
