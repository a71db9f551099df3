import type { Guardrail } from '../../../../packages/guardrails/src/index.ts';
import type { ProjectPolicies } from './project-policies.ts';

/** What texts are redacted by that leave the project. */
export interface Redaction {
  /** Names these guardrails, which never change under it. */
  key: string;
  /** Each redacts, at every stage and in every environment. */
  guardrails: Guardrail[];
}

const types: readonly Guardrail['type'][] = ['pii', 'secrets'];

/**
 * What is replaced in texts that leave the project (docs/semantics.md, "Shared links"): whatever the built-in entities of personal data and secrets find, and what the
 * project's enabled guardrails of these types find, whatever their stage, environments and action.
 */
export function redactionOf({ projectId, revision, guardrails }: ProjectPolicies): Redaction {
  const own = guardrails.filter(({ type, enabled }) => types.includes(type) && enabled !== false);
  const all = [...types.map((type) => ({ type, config: {} })), ...own];
  return {
    key: `${projectId} ${revision}`,
    guardrails: all.map(({ type, config }, index) => ({
      slug: `redaction-${index}`,
      type,
      stage: 'both',
      action: 'redact',
      config,
      priority: index,
      onError: 'block',
    })),
  };
}
