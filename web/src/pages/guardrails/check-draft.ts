import type { GuardrailStage } from '../../api/parts.ts';
import type { Guardrail } from '../../api/service.ts';
import { guardrailTypeLabels } from '../../content/guardrail-labels.ts';
import type { CheckInput, Guardrail as EngineGuardrail } from '../../content/guardrail-worker.ts';
import { configOf, jsonProblem } from './form-values.ts';
import type { FormValues } from './form-values.ts';

/** The name of a draft without a slug. */
export const draftSlug = 'this-guardrail';

/** The guardrail of a form, as the engine takes it; null if its JSON has a syntax error. */
export function draftOf(form: FormValues): EngineGuardrail | null {
  if (jsonProblem(form) !== null) return null;
  return {
    slug: form.slug.trim() === '' ? draftSlug : form.slug.trim(),
    name: form.name,
    type: form.type,
    stage: form.stage,
    action: form.action,
    config: configOf(form),
    priority: Number.isFinite(Number(form.priority)) ? Number(form.priority) : 0,
    onError: form.onError,
  };
}

/** The stages that a test offers. */
export function testStages(stage: GuardrailStage): ReadonlyArray<'input' | 'output'> {
  return stage === 'both' ? ['input', 'output'] : [stage];
}

/**
 * The other guardrails that run together with a draft: enabled ones that apply in an environment where it does. Judges run in the
 * service only.
 */
export function companionsOf(form: FormValues, ownId: string | null, all: readonly Guardrail[]): EngineGuardrail[] {
  const slug = form.slug.trim();
  return all
    .filter(
      (other) =>
        other.id !== ownId &&
        other.slug !== slug &&
        other.enabled &&
        !guardrailTypeLabels[other.type].isRemote &&
        (form.everywhere || other.environments === null || other.environments.some((name) => form.environments.includes(name))),
    )
    .map(({ slug: otherSlug, name, type, stage, action, config, priority, onError }) => ({
      slug: otherSlug,
      name,
      type,
      stage,
      action,
      config,
      priority,
      onError,
    }));
}

/** What the engine checks for the test of a form; null if the form cannot be checked. */
export function checkInput(
  form: FormValues,
  { text, stage, companions }: { text: string; stage: 'input' | 'output'; companions: readonly EngineGuardrail[] },
): CheckInput | null {
  const draft = draftOf(form);
  if (draft === null) return null;
  const stages: readonly string[] = testStages(form.stage);
  return {
    text,
    stage: stages.includes(stage) ? stage : form.stage === 'output' ? 'output' : 'input',
    guardrails: [draft, ...companions],
  };
}
