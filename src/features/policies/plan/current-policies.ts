import { specificationOfEnvironment, specificationOfGuardrail } from '../../policy-revisions/index.ts';
import type { EnvironmentRow, GuardrailRow, LatestPolicies, Management } from '../../policy-revisions/index.ts';
import type { CurrentPolicy } from './plan-changes.ts';

/** The environments and guardrails of a project as specifications. */
export function currentPolicies({
  environments,
  guardrails,
}: Pick<LatestPolicies, 'environments' | 'guardrails'>): CurrentPolicy[] {
  return [
    ...environments.map((row) => ({ ...specificationOfEnvironment(row), ...managementOf(row) })),
    ...guardrails.map((row) => ({ ...specificationOfGuardrail(row), ...managementOf(row) })),
  ];
}

function managementOf(row: EnvironmentRow | GuardrailRow): Management {
  return { managedBy: row.managed_by, detached: row.detached, path: row.path };
}
