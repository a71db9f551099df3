import type { z } from 'zod';
import type { policyList, PolicyRecord } from '../../../contract/policies.ts';
import { readLatest } from '../../policy-revisions/index.ts';
import type { AppliedFile, EnvironmentRow, GuardrailRow } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';

/** Every environment and guardrail of a project, by kind and name. A project has at most 1,000 and 100. */
export async function listPolicies({ db }: Pick<PoliciesContext, 'db'>, projectId: string): Promise<z.output<typeof policyList>> {
  const { revision, environments, guardrails, files } = await readLatest(db, projectId);
  const hashes = hashesOf(files);
  return {
    policies: [
      ...environments.map((row) => recordOf('Environment', row.name, row, hashes)),
      ...guardrails.map((row) => recordOf('Guardrail', row.slug, row, hashes)),
    ],
    revision,
  };
}

/** The hashes of applied files by path. */
export function hashesOf(files: readonly AppliedFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]));
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
