import type { policyList, PolicyRecord } from '../../../contract/policies.ts';
import type { z } from 'zod';
import type { EnvironmentRow, GuardrailRow, PoliciesDb } from '../../policy-revisions/index.ts';
import { readPolicies } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { filesOf } from './applied-files.ts';

/** Every environment and guardrail of a project, by kind and name. A project has at most 1,000 and 100. */
export async function listPolicies({ db }: Pick<PoliciesContext, 'db'>, projectId: string): Promise<z.output<typeof policyList>> {
  const { environments, guardrails } = await readPolicies(db, projectId);
  const applied = await appliedState(db, projectId);
  return {
    policies: [
      ...environments.map((row) => recordOf('Environment', row.name, row, applied.hashes)),
      ...guardrails.map((row) => recordOf('Guardrail', row.slug, row, applied.hashes)),
    ],
    revision: applied.revision,
  };
}

/** The latest revision of a project, and the hashes of its applied files by path. */
export async function appliedState(
  db: PoliciesDb,
  projectId: string,
): Promise<{ revision: number; hashes: ReadonlyMap<string, string> }> {
  const row = await db
    .selectFrom('policy_projects')
    .select(['revision', 'files'])
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const files = filesOf(row?.files ?? null);
  return { revision: row?.revision ?? 0, hashes: new Map(files.map(({ path, sha256 }) => [path, sha256])) };
}

/** A policy as the API returns it. The dashboard's own stand in no file; a detached one still names its file. */
export function recordOf(
  kind: PolicyRecord['kind'],
  name: string,
  row: EnvironmentRow | GuardrailRow,
  hashes: ReadonlyMap<string, string>,
): PolicyRecord {
  return {
    id: row.id,
    kind,
    name,
    path: row.path,
    sha256: row.path === null ? null : (hashes.get(row.path) ?? null),
    managedBy: row.managed_by,
    detached: row.detached,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  };
}
