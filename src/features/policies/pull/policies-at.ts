import { ServiceError } from '../../../contract/errors.ts';
import { filesOf, readLatest } from '../../policy-revisions/index.ts';
import type { AppliedFile, RecordedPolicy, Specification } from '../../policy-revisions/index.ts';
import { currentPolicies } from '../plan/current-policies.ts';
import { readContents } from '../records/applied-files.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** What a project's policies are or were. */
export interface PoliciesAt {
  revision: number;
  policies: Array<Specification & { managedBy: 'dashboard' | 'code'; detached: boolean }>;
  /** The applied files, by path. */
  files: AppliedFile[];
}

/**
 * The policies of a project at a revision; null for the latest.
 *
 * Errors: `not_found` for a revision that it never had; `invalid_request` for what is no number.
 */
export async function policiesAt(db: Database, projectId: string, wanted: string | null): Promise<PoliciesAt> {
  if (wanted !== null && !/^\d{1,9}$/.test(wanted)) {
    throw new ServiceError('invalid_request', 'Correct the query: revision must be a whole number.', {
      details: [{ path: '/revision', message: 'must be a whole number' }],
    });
  }
  const latest = await readLatest(db, projectId);
  if (wanted === null || Number(wanted) === latest.revision) {
    return { revision: latest.revision, policies: currentPolicies(latest), files: latest.files };
  }
  if (Number(wanted) === 0) return { revision: 0, policies: [], files: [] };
  return recordedPolicies(db, projectId, Number(wanted));
}

async function recordedPolicies(db: Database, projectId: string, revision: number): Promise<PoliciesAt> {
  const row = await db
    .selectFrom('policy_revisions')
    .select(['policies', 'files'])
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (!row) {
    throw new ServiceError(
      'not_found',
      'This project never had this policy revision; list the revisions to see which there are.',
    );
  }
  const recorded = JSON.parse(row.policies) as RecordedPolicy[];
  const contents = await readContents(
    db,
    projectId,
    recorded.map(({ sha256 }) => sha256),
  );
  const policies = recorded.map(({ kind, name, managedBy, detached, sha256 }) => {
    const spec: unknown = JSON.parse(contents.get(sha256) ?? '{}');
    return { ...({ kind, name, spec } as Specification), managedBy, detached };
  });
  return { revision, policies, files: filesOf(row.files) };
}
