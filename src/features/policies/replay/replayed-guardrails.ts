import type { Guardrail } from '../../../../packages/guardrails/src/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';

type Action = Guardrail['action'];

/** A guardrail before and after the change. What is the same in both is checked once. */
export interface ReplayedGuardrail {
  slug: string;
  guardrail: Guardrail;
  /** Its action before; null where it did not run. */
  before: Action | null;
  after: Action | null;
}

/** The enabled guardrails of local types before and after, each under a slug of its own: its place in the list. */
export function replayedGuardrails(before: readonly Specification[], after: readonly Specification[]): ReplayedGuardrail[] {
  const found = new Map<string, ReplayedGuardrail>();
  const add = (side: 'before' | 'after', policies: readonly Specification[]) => {
    for (const policy of policies) {
      if (policy.kind !== 'Guardrail' || !policy.spec.enabled || policy.spec.type === 'llm_judge') continue;
      const { type, config, stage, environments, onError, action } = policy.spec;
      const key = JSON.stringify([policy.name, type, config, stage, environments, onError]);
      const known = found.get(key);
      // Every guardrail flags here: redaction would need every match. Its own action decides what is blocked.
      const guardrail: Guardrail = {
        slug: String(found.size),
        type,
        stage,
        config,
        environments,
        onError,
        action: 'flag',
        priority: 100,
      };
      found.set(key, { slug: policy.name, guardrail, before: null, after: null, ...known, [side]: action });
    }
  };
  add('before', before);
  add('after', after);
  return [...found.values()];
}
