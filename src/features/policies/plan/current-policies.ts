import { readPolicies, specificationOfEnvironment, specificationOfGuardrail } from '../../policy-revisions/index.ts';
import type { EnvironmentRow, GuardrailRow, Management, PoliciesDb } from '../../policy-revisions/index.ts';
import type { CurrentPolicy } from './plan-changes.ts';

/** The environments and guardrails of a project. @param db any database handle, or a transaction */
export async function currentPolicies(db: PoliciesDb, projectId: string): Promise<CurrentPolicy[]> {
  const { environments, guardrails } = await readPolicies(db, projectId);
  return [
    ...environments.map((row) => ({ ...specificationOfEnvironment(row), ...managementOf(row) })),
    ...guardrails.map((row) => ({ ...specificationOfGuardrail(row), ...managementOf(row) })),
  ];
}

function managementOf(row: EnvironmentRow | GuardrailRow): Management {
  return { managedBy: row.managed_by, detached: row.detached, path: row.path };
}

/** The same, with the revision that they are at: nothing changes between the reads. */
export function currentRevision(db: PoliciesDb, projectId: string): Promise<{ revision: number; policies: CurrentPolicy[] }> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('policy_projects')
      .select('revision')
      .where('project_id', '=', projectId)
      .forShare()
      .executeTakeFirst();
    return { revision: row?.revision ?? 0, policies: await currentPolicies(transaction, projectId) };
  });
}
