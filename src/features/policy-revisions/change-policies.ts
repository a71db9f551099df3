import { createHash } from 'node:crypto';
import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import type { PolicySummary } from '../../contract/policies.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { reachFailpoint } from '../../platform/failpoint/failpoint.ts';
import type { ChangeFeed, Transaction } from '../../platform/postgres/index.ts';
import { filesOf, readPolicies } from './read-policies.ts';
import { specificationOfEnvironment, specificationOfGuardrail } from './specification.ts';
import type { RecordedPolicy, Specification } from './specification.ts';
import type { AppliedFile } from './tables.ts';

/** The channel on which every change of a project's environments and guardrails is announced; the message is the project's id. */
export const policiesChannel = 'policies';

/** What a change did. */
export interface PolicyChange<T> {
  result: T;
  /** Null: nothing was changed, and no revision is counted. */
  recorded: { summary: Omit<PolicySummary, 'none'> & { none?: number }; auditLogId: string } | null;
  /** The files that are applied from now on; absent: as before. */
  files?: ReadonlyArray<AppliedFile & { content: string }>;
}

/** The state of a project's policies while it is locked. */
export interface LockedPolicies {
  transaction: Transaction;
  /** The revision before the change. */
  revision: number;
  /** The revision that the change makes, for its audit entry. */
  nextRevision: number;
  /** The applied files before the change. */
  files: readonly AppliedFile[];
  now: Date;
  /** What `updated_by` holds. */
  by: string;
}

/**
 * Runs a change of a project's environments and guardrails in a transaction, counts a revision for it and announces it to every replica.
 * Changes of one project follow one another. `work` writes its audit entry last.
 *
 * @param source whether the change comes from applied files
 */
export async function changePolicies<T>(
  { changeFeed, clock }: { changeFeed: ChangeFeed; clock: Clock },
  { projectId, actor }: Pick<Acting, 'projectId' | 'actor'>,
  source: 'code' | 'dashboard',
  work: (locked: LockedPolicies) => Promise<PolicyChange<T>>,
): Promise<T> {
  const changed = await changeFeed.transaction(async (transaction, publish) => {
    const { revision, files: applied } = await lockPolicies(transaction, projectId);
    const locked: LockedPolicies = {
      transaction,
      revision,
      nextRevision: revision + 1,
      files: applied,
      now: new Date(clock.now()),
      by: actorName(actor),
    };
    reachFailpoint('policies-locked');
    const { result, recorded, files } = await work(locked);
    reachFailpoint('policies-recorded');
    if (files) await storeFiles(locked, projectId, files, recorded !== null);
    if (recorded) await storeRevision(locked, projectId, source, recorded);
    if (recorded || files) await publish(policiesChannel, projectId);
    reachFailpoint('revision-stored');
    return result;
  });
  reachFailpoint('policies-committed');
  return changed;
}

/**
 * Locks the environments and guardrails of a project until the end of the transaction: none is created, changed or deleted meanwhile.
 *
 * @returns the revision and the applied files
 */
export async function lockPolicies(
  transaction: Transaction,
  projectId: string,
): Promise<Pick<LockedPolicies, 'revision' | 'files'>> {
  await transaction
    .insertInto('policy_projects')
    .values({ project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { revision, files } = await transaction
    .selectFrom('policy_projects')
    .select(['revision', 'files'])
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { revision, files: filesOf(files) };
}

/** Files that are applied without a change belong to the latest revision. */
async function storeFiles(
  { transaction, revision, nextRevision, now, by }: LockedPolicies,
  projectId: string,
  files: ReadonlyArray<AppliedFile & { content: string }>,
  changes: boolean,
): Promise<void> {
  await storeContents(transaction, projectId, files);
  const list = JSON.stringify(files.map(({ path, sha256 }) => ({ path, sha256 })));
  await transaction
    .updateTable('policy_projects')
    .set({ files: list, applied_at: now, applied_by: by, applied_revision: changes ? nextRevision : revision })
    .where('project_id', '=', projectId)
    .execute();
  if (changes) return;
  await transaction
    .updateTable('policy_revisions')
    .set({ files: list })
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .execute();
}

async function storeRevision(
  { transaction, nextRevision, now, by }: LockedPolicies,
  projectId: string,
  source: 'code' | 'dashboard',
  { summary, auditLogId }: NonNullable<PolicyChange<unknown>['recorded']>,
): Promise<void> {
  const { environments, guardrails } = await readPolicies(transaction, projectId);
  const policies: RecordedPolicy[] = [];
  const contents = new Map<string, string>();
  const add = (row: { managed_by: 'dashboard' | 'code'; detached: boolean; path: string | null }, policy: Specification) => {
    const content = JSON.stringify(policy.spec);
    const sha256 = createHash('sha256').update(content).digest('hex');
    contents.set(sha256, content);
    const { kind, name } = policy;
    policies.push({ kind, name, managedBy: row.managed_by, detached: row.detached, path: row.path, sha256 });
  };
  for (const row of environments) add(row, specificationOfEnvironment(row));
  for (const row of guardrails) add(row, specificationOfGuardrail(row));
  await storeContents(
    transaction,
    projectId,
    [...contents].map(([sha256, content]) => ({ sha256, content })),
  );
  const { files } = await transaction
    .updateTable('policy_projects')
    .set({ revision: nextRevision })
    .where('project_id', '=', projectId)
    .returning('files')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('policy_revisions')
    .values({
      project_id: projectId,
      revision: nextRevision,
      at: now,
      by,
      source,
      summary: JSON.stringify({ none: 0, ...summary }),
      audit_log_id: auditLogId,
      policies: JSON.stringify(policies),
      files,
    })
    .execute();
}

/** Stores the contents that the project does not have yet: most changes leave most of them as they are. */
async function storeContents(
  transaction: Transaction,
  projectId: string,
  contents: ReadonlyArray<{ sha256: string; content: string }>,
): Promise<void> {
  if (contents.length === 0) return;
  const stored = await transaction
    .selectFrom('policy_contents')
    .select('sha256')
    .where('project_id', '=', projectId)
    .where(
      'sha256',
      'in',
      contents.map(({ sha256 }) => sha256),
    )
    .execute();
  const known = new Set(stored.map(({ sha256 }) => sha256));
  const missing = contents.filter(({ sha256 }) => !known.has(sha256));
  if (missing.length === 0) return;
  // Two files may have the same content.
  await transaction
    .insertInto('policy_contents')
    .values(missing.map(({ sha256, content }) => ({ project_id: projectId, sha256, content })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
