import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyKind } from '../../../contract/policies.ts';
import type { EnvironmentRow, GuardrailRow } from '../../policy-revisions/index.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** An environment or guardrail as it is stored. */
export interface FoundPolicy {
  kind: PolicyKind;
  name: string;
  row: EnvironmentRow | GuardrailRow;
}

/** An environment or guardrail of a project by its id. Errors: `not_found`. */
export async function findPolicy(db: Database, projectId: string, policyId: string): Promise<FoundPolicy> {
  const id = uuidOrNull(policyId);
  const environment = await db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (environment) return { kind: 'Environment', name: environment.name, row: environment };
  const guardrail = await db
    .selectFrom('guardrails')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (guardrail) return { kind: 'Guardrail', name: guardrail.slug, row: guardrail };
  throw new ServiceError('not_found', 'There is no such policy in this project; list them to see which there are.');
}
