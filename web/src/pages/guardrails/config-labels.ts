import type { GuardrailAction, GuardrailRecord, GuardrailTypeName } from '../../api/wire.ts';
import { countedExactly, formatExact } from '../../format/number-format.ts';

/** Titles of the entities of personal data. A test compares them with the engine's. */
export const entityLabels: Readonly<Record<string, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  payment_card: 'Payment card',
  iban: 'IBAN',
  us_ssn: 'US social security number',
  ip_address: 'IP address',
};
export const allEntities: readonly string[] = Object.keys(entityLabels);

/** The labels of secrets. A test compares them with the engine's. */
export const secretLabels: readonly string[] =
  'anthropic_key aws_access_key docker_token figma_token github_token gitlab_token google_api_key grafana_token huggingface_token infracost_key jwt notion_token npm_token onepassword_token openai_key private_key pypi_token sendgrid_key shopify_token slack_token spanwise_key square_token stripe_key tailscale_key vault_token'.split(
    ' ',
  );

/** Types without matches to replace. A test compares them with the engine's. */
const notRedacting: ReadonlySet<GuardrailTypeName> = new Set(['prompt_injection', 'json_schema', 'llm_judge']);

/** The actions that a type takes, strictest first. */
export function actionsOf(type: GuardrailTypeName): GuardrailAction[] {
  return notRedacting.has(type) ? ['block', 'flag'] : ['block', 'redact', 'flag'];
}

/** The action that the form chooses with a type: the present one if the type takes it. */
export function actionFor(type: GuardrailTypeName, present: GuardrailAction): GuardrailAction {
  if (actionsOf(type).includes(present)) return present;
  return type === 'prompt_injection' ? 'flag' : 'block';
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A short form of the configuration: `3 patterns`, `> 10,000 characters`. Empty if there is nothing to say. */
export function configLabel({ type, config }: Pick<GuardrailRecord, 'type' | 'config'>): string {
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
