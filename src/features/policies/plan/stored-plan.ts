import { hourMs } from '../../../contract/durations.ts';
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyFile } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { AppliedFile, LockedPolicies } from '../../policy-revisions/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** How long a plan can be applied. */
const planMs = 24 * hourMs;

/** Files by path, with the SHA-256 of each content in UTF-8. */
export function hashedFiles(files: readonly PolicyFile[]): Array<AppliedFile & { content: string }> {
  return files
    .toSorted((left, right) => compareCodePoints(left.path, right.path))
    .map(({ path, content }) => ({ path, sha256: sha256(content), content }));
}

function hashOf(files: readonly AppliedFile[]): string {
  return sha256(JSON.stringify(files.map(({ path, sha256: hash }) => [path, hash])));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Stores a plan: the revision and the files that may be applied. */
export async function storePlan(
  db: Database,
  { projectId, revision, files, nowMs }: { projectId: string; revision: number; files: readonly AppliedFile[]; nowMs: number },
): Promise<{ planId: string; expiresAt: string }> {
  const id = uuidv7();
  const expiresAt = new Date(nowMs + planMs);
  await db
    .insertInto('policy_plans')
    .values({
      id,
      project_id: projectId,
      revision,
      files_sha256: hashOf(files),
      created_at: new Date(nowMs),
      expires_at: expiresAt,
    })
    .execute();
  return { planId: id, expiresAt: expiresAt.toISOString() };
}

/** Throws `stale_plan` unless a plan of the project is for these files and the revision that it is at. */
export async function requirePlan(
  { transaction, revision, now }: LockedPolicies,
  projectId: string,
  planId: string,
  files: readonly AppliedFile[],
): Promise<void> {
  const plan = await transaction
    .selectFrom('policy_plans')
    .selectAll()
    .where('id', '=', uuidOrNull(planId))
    .where('project_id', '=', projectId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!plan) throw stale('There is no such plan in this project, or it has expired');
  if (plan.files_sha256 !== hashOf(files)) throw stale('These are not the files that were planned');
  if (plan.revision !== revision) throw stale('The policies have changed since they were planned');
}

function stale(why: string): ServiceError {
  return new ServiceError('stale_plan', `${why}; plan the files again, then apply that plan.`);
}

/** Deletes plans that can no longer be applied. */
export async function deleteExpiredPlans(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('policy_plans').where('expires_at', '<=', new Date(nowMs)).execute();
}
