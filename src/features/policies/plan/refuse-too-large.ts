import { ServiceError } from '../../../contract/errors.ts';
import { maxCompiledStates } from '../../../contract/guardrails.ts';
import type { Specification } from '../../policy-revisions/index.ts';

/**
 * Throws `invalid_request` when a project's guardrails would be too large when compiled. The files alone are not: reading them says so.
 *
 * @param policies its policies with the files applied
 */
export function refuseTooLarge(policies: readonly Specification[]): void {
  const states = policies.reduce((sum, policy) => sum + (policy.kind === 'Guardrail' ? (policy.compiledSize ?? 0) : 0), 0);
  if (states <= maxCompiledStates) return;
  throw new ServiceError(
    'invalid_request',
    `The guardrails of a project have at most ${maxCompiledStates} states together when compiled, and with these files and the dashboard's own they have ` +
      `${states}; use fewer or shorter patterns.`,
  );
}
