import type { EnvironmentBody } from '../../contract/environments.ts';
import type { GuardrailBody } from '../../contract/guardrails.ts';

/** The environments that have a record. Spans of the demonstration also name `preview`, which has none. */
export const environments: readonly EnvironmentBody[] = [
  { name: 'production', description: 'What customers use' },
  { name: 'staging', description: 'The next release, with test accounts' },
];

/** A guardrail and how often it triggers. */
export interface DemonstrationGuardrail {
  body: GuardrailBody;
  /** Share of its checks. */
  triggerRate: number;
  /** Share of its checks that could not run. */
  failureRate: number;
  /** Median milliseconds. */
  latencyMs: number;
}

const defaults = { stage: 'input', environments: null, priority: 100, enabled: true, onError: 'block', config: {} } as const;

export const guardrails: readonly DemonstrationGuardrail[] = [
  {
    body: {
      ...defaults,
      slug: 'no-card-numbers',
      name: 'No card numbers in answers',
      type: 'pii',
      stage: 'output',
      action: 'redact',
      config: { entities: ['payment_card', 'iban'] },
      environments: ['production'],
      priority: 10,
    },
    triggerRate: 0.012,
    failureRate: 0,
    latencyMs: 0.4,
  },
  {
    body: { ...defaults, slug: 'no-secrets', name: 'No keys and tokens', type: 'secrets', stage: 'both', priority: 20 },
    triggerRate: 0.003,
    failureRate: 0,
    latencyMs: 0.3,
  },
  {
    body: { ...defaults, slug: 'prompt-injection', name: 'Prompt injection', type: 'prompt_injection', priority: 30 },
    triggerRate: 0.021,
    failureRate: 0,
    latencyMs: 0.8,
  },
  {
    body: {
      ...defaults,
      slug: 'competitors',
      name: 'Names of competitors',
      type: 'blocklist',
      stage: 'output',
      action: 'flag',
      config: { terms: ['Globex', 'Initech', 'Umbrella'] },
    },
    triggerRate: 0.008,
    failureRate: 0,
    latencyMs: 0.2,
  },
  {
    body: {
      ...defaults,
      slug: 'short-questions',
      name: 'Questions of a reasonable length',
      type: 'max_length',
      config: { maxCharacters: 8_000 },
      environments: ['production', 'staging'],
      onError: 'allow',
    },
    triggerRate: 0.004,
    failureRate: 0.001,
    latencyMs: 0.05,
  },
];
