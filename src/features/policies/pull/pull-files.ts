import type { PolicyFile } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import { isTestFile } from '../documents/files-read.ts';
import type { FilesRead } from '../documents/files-read.ts';
import { differingFields } from '../plan/differing-fields.ts';
import { keyOf } from '../plan/plan-changes.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { readAppliedFiles } from '../records/applied-files.ts';
import { policiesAt } from './policies-at.ts';
import type { PoliciesAt } from './policies-at.ts';

/**
 * Files that lead to the policies of a project (docs/semantics.md, "Policies"): the applied ones as they were sent while nothing in them was changed,
 * and one for each other policy. Detached policies are in none.
 *
 * @param revision as in the query; undefined for the latest
 *
 * Errors: `not_found` for a revision that it never had; `invalid_request` for what is no number.
 */
export async function pullFiles(
  { db, reader }: Pick<PoliciesContext, 'db' | 'reader'>,
  projectId: string,
  revision: string | undefined,
): Promise<{ files: PolicyFile[]; revision: number }> {
  const at = await policiesAt(db, projectId, revision ?? null);
  const applied = await readAppliedFiles(db, projectId, at.files);
  const read = await reader.read(projectId, applied);
  const changed = changedPaths(at, read);
  const kept = applied.filter(({ path }) => isTestFile(path) || !changed.has(path));
  const inKept = new Set(read.policies.filter(({ path }) => !changed.has(path)).map(keyOf));
  const others = at.policies.filter((policy) => !policy.detached && !inKept.has(keyOf(policy)));
  const rendered = await reader.render(
    projectId,
    others,
    kept.map(({ path }) => path),
  );
  const files = [...kept, ...rendered];
  return { files: files.toSorted((left, right) => compareCodePoints(left.path, right.path)), revision: at.revision };
}

/** The files that hold a policy which is another now, is gone or is not managed by code, and those that can no longer be read. */
function changedPaths({ policies }: PoliciesAt, { policies: inFiles, faults }: FilesRead): ReadonlySet<string> {
  const changed = new Set(faults.map(({ path }) => path));
  const managed = new Map<string, Specification>();
  for (const policy of policies) if (policy.managedBy === 'code') managed.set(keyOf(policy), policy);
  for (const policy of inFiles) {
    const now = managed.get(keyOf(policy));
    if (!now || differingFields(now, policy).length > 0) changed.add(policy.path);
  }
  return changed;
}
