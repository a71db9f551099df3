import { piiEntityTitles, secretLabels as labels } from 'virtual:guardrail-types';
import type { GuardrailAction, GuardrailTypeName } from '../../api/parts.ts';
import type { Guardrail } from '../../api/service.ts';
import { guardrailTypeLabels } from '../../content/guardrail-labels.ts';
import { countedExactly, formatExact } from '../../format/number-format.ts';

/** Titles of the entities of personal data. */
export const entityLabels = piiEntityTitles;
export const allEntities: readonly string[] = Object.keys(entityLabels);

/** The labels of secrets. */
export const secretLabels: readonly string[] = labels.toSorted();

/** The actions that a type takes, strictest first. */
export function actionsOf(type: GuardrailTypeName): GuardrailAction[] {
  return guardrailTypeLabels[type].redacts ? ['block', 'redact', 'flag'] : ['block', 'flag'];
}

/** The action that the form chooses with a type: the present one if the type takes it. */
export function actionFor(type: GuardrailTypeName, present: GuardrailAction): GuardrailAction {
  return actionsOf(type).includes(present) ? present : guardrailTypeLabels[type].defaultAction;
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A short form of the configuration: `3 patterns`, `> 10,000 characters`. Empty if there is nothing to say. */
export function configLabel({ type, config }: Pick<Guardrail, 'type' | 'config'>): string {
  switch (type) {
    case 'regex': {
      const patterns = listed(config['patterns']) as ReadonlyArray<{ pattern?: unknown; label?: unknown }>;
      const labels = patterns.flatMap(({ label }) => (typeof label === 'string' ? [label] : []));
      if (labels.length === patterns.length && labels.length <= 3) return labels.join(', ');
      return patterns.length === 1 ? `/${String(patterns[0]?.pattern)}/` : countedExactly(patterns.length, 'pattern');
    }
    case 'blocklist':
      return countedExactly(listed(config['terms']).length, 'term');
    case 'pii': {
      const entities = listed(config['entities'] ?? allEntities);
      return entities.length === allEntities.length
        ? 'all entities'
        : entities.map((entity) => entityLabels[String(entity)] ?? String(entity)).join(', ');
    }
    case 'secrets': {
      const excluded = listed(config['exclude']);
      return excluded.length === 0 ? 'all formats' : `without ${excluded.join(', ')}`;
    }
    case 'prompt_injection':
      return `score ≥ ${String(config['threshold'] ?? 0.5)}`;
    case 'max_length':
      return `> ${formatExact(Number(config['maxCharacters']))} characters`;
    case 'json_schema':
      return '';
    case 'llm_judge':
      return typeof config['model'] === 'string' ? config['model'] : String(config['connection'] ?? '');
    default:
      return '';
  }
}
